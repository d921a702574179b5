"""
Instagram as instaloader sees it: the lookup of an account with its newest twelve posts, and the timeline by `query_hash`
(instaloader up to 4.12) and by `doc_id` (later versions; users who are logged in get posts in another shape).

Started and controlled as tests.fake_upstream describes. Options of an account: posts, private, followed (by users who are
logged in), wants_login, full_name, lists_nothing (the lookup hides the posts, as it sometimes does), refuses_programs (the
status that programs other than browsers get), page (a kind of tests.fake_instagram_page). Options of a post: text, kind
(image, video, carousel), pinned, likes, taken_at (seconds since 1970), owner (of a post that belongs to another account).
Users log in as tests.fake_instagram_login describes; `{"user": {"name": "x", "password": "…"}}` adds one.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

from .fake_instagram_login import SESSION_ENDED, FakeLogin
from .fake_instagram_page import account_page, missing_page
from .fake_upstream import Answer, FakeUpstream, Json, Request, run

QUERY_HASH = "003056d32c2554def87228bc3fd9668a"
VISITORS_DOC = "7950326061742207"
MEMBERS_DOC = "7898261790222653"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
KINDS = ("image", "carousel", "video")
HOUR = 3600


@dataclass
class FakePost:
    id: int
    text: str
    kind: str
    taken_at: int
    likes: int = 7
    comments: int = 2
    pinned: bool = False
    owner: Optional[str] = None

    @property
    def shortcode(self) -> str:
        number, code = self.id, ""
        while number:
            number, digit = divmod(number, 64)
            code = LETTERS[digit] + code
        return code


@dataclass
class FakeAccount:
    id: int
    name: str
    full_name: str
    private: bool = False
    followed: bool = False
    wants_login: bool = False
    lists_nothing: bool = False
    # The status with which every program but a browser is refused.
    refuses_programs: Optional[int] = None
    page: str = "embeds"
    # Newest first.
    timeline: List[FakePost] = field(default_factory=list)

    def shown(self) -> List[FakePost]:
        """Returns pinned posts first, and each post once."""
        return sorted(self.timeline, key=lambda post: not post.pinned)


class FakeInstagram(FakeUpstream):
    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.login = FakeLogin()
        self._accounts: Dict[str, FakeAccount] = {}

    def actions(self) -> Dict[str, Callable[[Any], Any]]:
        return {**super().actions(), "user": lambda given: self.login.add_user(**given)}

    def accounts(self) -> Dict[str, List[str]]:
        return {name: [str(post.id) for post in account.timeline] for name, account in self._accounts.items()}

    def add_account(self, name: str, posts: int = 0, **options: Any) -> str:
        account = self._accounts.get(name)
        if account is None:
            account = FakeAccount(1000 + len(self._accounts), name, name.title())
            self._accounts[name] = account
        for option, value in options.items():
            setattr(account, option, value)
        now = int(time.time())
        for number in range(posts):
            self.add_post(name, text=f"Post {number + 1} of {name}", taken_at=now - (posts - number) * HOUR)
        return str(account.id)

    def add_post(self, account: str, **options: Any) -> str:
        timeline = self._accounts[account].timeline
        number = len(timeline) + 1
        post = FakePost(
            id=self._accounts[account].id * 1_000_000_000_000 + number,
            text=options.pop("text", f"Post {number} of {account}"),
            kind=options.pop("kind", KINDS[number % 3]),
            taken_at=options.pop("taken_at", int(time.time())),
            **options,
        )
        timeline.insert(0, post)
        return str(post.id)

    def delete_post(self, account: str, post_id: str) -> None:
        timeline = self._accounts[account].timeline
        timeline[:] = [post for post in timeline if str(post.id) != post_id]

    def answer(self, request: Request) -> Answer:
        login = self.login.answer(request)
        if login:
            return login
        if request.cookies.get("sessionid") and not self.login.has_session(request):
            return Answer(SESSION_ENDED, 403)
        if request.path == "/api/v1/users/web_profile_info/":
            return self._profile(request)
        if request.path.rstrip("/") == "/graphql/query":
            return self._timeline(request)
        account = self._accounts.get(request.path.strip("/"))
        return self._page(account, request) if account else missing_page()

    def _page(self, account: FakeAccount, request: Request) -> Answer:
        user = self._user_with_posts(account, request)
        return account_page(account.page, user, user["edge_owner_to_timeline_media"], VISITORS_DOC)

    def _profile(self, request: Request) -> Answer:
        account = self._accounts.get(request.query.get("username", ""))
        if account is None:
            return Answer({"data": {"user": None}, "status": "ok"}, 404)
        if account.wants_login and not _is_logged_in(request):
            login = f"https://www.instagram.com/accounts/login/?next=/{account.name}/"
            return Answer("", 302, {"location": login})
        if _refuses(account, request):
            return _refusal(account)
        return Answer({"data": {"user": self._user_with_posts(account, request)}})

    def _user_with_posts(self, account: FakeAccount, request: Request) -> Json:
        listed = account.shown()[:12] if _may_see(account, request) and not account.lists_nothing else []
        connection = {
            **_connection(account, listed, [graph_node(post, account) for post in listed]),
            "count": len(account.timeline),
        }
        return {**_user(account, request), "edge_owner_to_timeline_media": connection}

    def _timeline(self, request: Request) -> Answer:
        variables: Json = json.loads(request.query["variables"])
        document = request.query.get("doc_id") or request.query.get("query_hash")
        if document not in (QUERY_HASH, VISITORS_DOC, MEMBERS_DOC):
            return Answer({"message": "execution error", "status": "fail"}, 400)
        account = next((one for one in self._accounts.values() if _is_requested(one, variables, document)), None)
        if account is None:
            return Answer({"data": {"user": None}, "status": "ok"})
        if _refuses(account, request):
            return _refusal(account)
        shown = account.shown() if _may_see(account, request) else []
        after = variables.get("after")
        if after is not None:
            place = next((n for n, post in enumerate(shown) if _cursor(account, post) == after), None)
            if place is None:
                return Answer({"message": "invalid cursor", "status": "fail"}, 400)
            shown = shown[place + 1 :]
        return Answer({"data": _page(account, shown[: variables["first"]], document), "status": "ok"})


def _is_requested(account: FakeAccount, variables: Json, document: Optional[str]) -> bool:
    return account.name == variables.get("username") if document == MEMBERS_DOC else str(account.id) == variables.get("id")


def _refuses(account: FakeAccount, request: Request) -> bool:
    return account.refuses_programs is not None and "sec-fetch-mode" not in request.headers


def _refusal(account: FakeAccount) -> Answer:
    messages = {401: "login_required", 403: "login_required", 400: "challenge_required"}
    body = {"message": messages.get(account.refuses_programs or 0, ""), "status": "fail"}
    return Answer(body, account.refuses_programs or 0)


def _is_logged_in(request: Request) -> bool:
    """Sessions that have ended are refused before."""
    return request.cookies.get("sessionid", "") != ""


def _may_see(account: FakeAccount, request: Request) -> bool:
    return not account.private or (account.followed and _is_logged_in(request))


def _user(account: FakeAccount, request: Request) -> Json:
    return {
        "id": str(account.id),
        "username": account.name,
        "full_name": account.full_name,
        "is_private": account.private,
        "followed_by_viewer": account.followed and _is_logged_in(request),
        "profile_pic_url": f"https://pictures.example/{account.name}.jpg",
        "profile_pic_url_hd": f"https://pictures.example/{account.name}_hd.jpg",
    }


def _page(account: FakeAccount, posts: List[FakePost], document: str) -> Json:
    if document == MEMBERS_DOC:
        connection = _connection(account, posts, [phone_node(post, account) for post in posts])
        return {"xdt_api__v1__feed__user_timeline_graphql_connection": connection}
    connection = _connection(account, posts, [graph_node(post, account) for post in posts])
    return {"user": {"edge_owner_to_timeline_media": {**connection, "count": len(account.timeline)}}}


def _connection(account: FakeAccount, posts: List[FakePost], nodes: List[Json]) -> Json:
    more = bool(posts) and posts[-1] is not account.shown()[-1]
    end = _cursor(account, posts[-1]) if more else None
    return {"edges": [{"node": node} for node in nodes], "page_info": {"has_next_page": more, "end_cursor": end}}


def _cursor(account: FakeAccount, post: FakePost) -> str:
    return f"{post.id}_{account.id}"


def _picture(post: FakePost, part: int = 0) -> str:
    return f"https://pictures.example/{post.id}/{part}.jpg"


def _video(post: FakePost, part: int = 0) -> str:
    return f"https://videos.example/{post.id}/{part}.mp4"


def graph_node(post: FakePost, account: FakeAccount) -> Json:
    node: Json = {
        "__typename": {"image": "GraphImage", "video": "GraphVideo", "carousel": "GraphSidecar"}[post.kind],
        "id": str(post.id),
        "shortcode": post.shortcode,
        "taken_at_timestamp": post.taken_at,
        "display_url": _picture(post),
        "is_video": post.kind == "video",
        "edge_media_to_caption": {"edges": [{"node": {"text": post.text}}] if post.text else []},
        "edge_media_to_comment": {"count": post.comments},
        "edge_media_preview_like": {"count": post.likes},
        "owner": {"id": str(account.id), "username": post.owner or account.name},
        "pinned_for_users": [{"username": account.name}] if post.pinned else [],
    }
    if post.kind == "video":
        node["video_url"] = _video(post)
    if post.kind == "carousel":
        picture = {"display_url": _picture(post), "is_video": False}
        video = {"display_url": _picture(post, 1), "is_video": True, "video_url": _video(post, 1)}
        node["edge_sidecar_to_children"] = {"edges": [{"node": picture}, {"node": video}]}
    return node


def phone_node(post: FakePost, account: FakeAccount) -> Json:
    def part(number: int, video: bool) -> Json:
        picture = {"candidates": [{"url": _picture(post, number)}]}
        videos = [{"url": _video(post, number)}] if video else None
        return {"image_versions2": picture, "video_versions": videos, "media_type": 2 if video else 1}

    node: Json = {
        "pk": str(post.id),
        "id": f"{post.id}_{account.id}",
        "code": post.shortcode,
        "taken_at": post.taken_at,
        "caption": {"text": post.text} if post.text else None,
        "like_count": post.likes,
        "comment_count": post.comments,
        "has_liked": False,
        "user": {
            "pk": str(account.id),
            "username": post.owner or account.name,
            "full_name": account.full_name,
            "is_private": account.private,
            "profile_pic_url": f"https://pictures.example/{account.name}.jpg",
        },
        **part(0, post.kind == "video"),
    }
    if post.kind == "carousel":
        node.update(media_type=8, carousel_media=[part(0, False), part(1, True)])
    return node


def make(port: int, accounts: int, posts: int) -> FakeInstagram:
    fake = FakeInstagram(port)
    for number in range(1, accounts + 1):
        fake.add_account(f"account_{number}", posts=posts)
    return fake


if __name__ == "__main__":
    run(make, "Instagram on loopback")
