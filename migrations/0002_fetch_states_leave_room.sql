-- Every fetch and every recount changes these rows. With room left on their pages most changes stay on the page and touch
-- no index.
ALTER TABLE "fetch_states" SET (fillfactor = 70);
