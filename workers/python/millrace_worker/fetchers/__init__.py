"""The fetchers that come with the kit."""
