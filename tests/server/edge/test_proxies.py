"""The client's address and host name behind a proxy."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from jamboree.core.errors import JamboreeError
from jamboree.server.edge.addresses import Proxies, rate_limit_key
from jamboree.server.edge.host_allowlist import HostAllowlist, without_default_port
from jamboree.server.edge.rate_limits import Rate, RateLimits
from jamboree.server.http.app import build_app
from jamboree.server.store.store import Store

from ..bench.local import a_registry
from ..bench.online import HOST, Online, Player, call, online
from .proxies import a_proxy

TABLES = "/api/v1/tables"
OPEN = {"game": "high-card", "seats": 2, "name": "Ada", "keep": "cookie"}


def asked_by_a_liar(port: int, number: int) -> int:
    """Send a request from an address that is not the proxy, with a different forged header each time."""
    headers = {"host": "play.example", "x-forwarded-for": f"6.6.6.{number}"}
    return call(port, "GET", TABLES, None, headers, source="127.0.0.9").status


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "address"),
    [
        ([], "127.0.0.1", ["10.0.0.7"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", [], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["6.6.6.6, 10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["6.6.6.6", "10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["6.6.6.6,10.0.0.7", "10.0.0.8"], "10.0.0.8"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", ["6.6.6.6, 9.9.9.9, 10.0.0.7"], "9.9.9.9"),
        (["127.0.0.1"], "127.0.0.1", ["nonsense"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["10.0.0.7:4711"], "10.0.0.7"),
        (["::1"], "::1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        (["127.0.0.1"], "::ffff:127.0.0.1", ["10.0.0.7"], "10.0.0.7"),
        (["10.0.0.1"], "127.0.0.1", ["10.0.0.7"], "127.0.0.1"),
        (["10.0.0.1"], "127.0.0.1", ["10.0.0.7, 10.0.0.1"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["10.0.0.7, 127.0.0.1, nonsense"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["6.6.6.6, unknown, 10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", [", ,", '"10.0.0.7"', " , "], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["010.0.0.7"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["10.0.0.7\x00"], "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", ["10.0.0.7:"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["[2001:db8::7"], "2001:db8::7"),
        (["127.0.0.1"], "127.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        (["127.0.0.1"], "127.0.0.1", ["fe80::7%eth0"], "fe80::7"),
        (["127.0.0.1"], "127.0.0.1", ["::ffff:10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["6.6.6.6, " * 5_000 + "10.0.0.7"], "10.0.0.7"),
        (["127.0.0.1"], "127.0.0.1", ["127.0.0.1, " * 5_000], "127.0.0.1"),
        (["2001:db8::/32"], "2001:db8::1", ["2001:db9::7, 2001:db8::2"], "2001:db9::7"),
    ],
)
def test_only_configured_proxies_are_trusted(trusted: list[str], peer: str, forwarded: list[str], address: str) -> None:
    origin = Proxies(trusted).origin(peer, "http", "ours", {"x-forwarded-for": forwarded})
    assert origin.address == address


def test_scheme_and_host_come_from_the_same_hop() -> None:
    output = {
        "x-forwarded-for": ["6.6.6.6, 9.9.9.9, 10.0.0.7"],
        "x-forwarded-proto": ["http, https, http"],
        "x-forwarded-host": ["play.example"],
    }
    origin = Proxies(["127.0.0.1", "10.0.0.0/8"]).origin("127.0.0.1", "http", "inside", output)
    assert (origin.address, origin.scheme, origin.host, origin.proxied) == ("9.9.9.9", "https", "play.example", True)
    assert origin.host_header == "inside"
    assert Proxies().origin("127.0.0.1", "http", "inside", output)[1:] == ("http", "inside", False, "inside")


def test_a_proxy_must_be_an_ip_address() -> None:
    with pytest.raises(JamboreeError, match=r'^"my-proxy" is not an IP address'):
        Proxies(["my-proxy"])


@pytest.mark.parametrize(
    ("network", "wide"),
    [
        ("0.0.0.0/0", True),
        ("::/0", True),
        ("0.0.0.0/1", True),
        ("128.0.0.0/1", True),
        ("2000::/3", True),
        ("10.0.0.0/8", False),
        ("172.16.0.0/12", False),
        ("127.0.0.1", False),
        ("fc00::/7", False),
        ("fd00::/8", False),
        ("2001:db8::/32", False),
        ("::1", False),
    ],
)
def test_overly_wide_proxy_networks_are_detected(network: str, wide: bool) -> None:
    assert bool(Proxies([network]).too_wide) == wide


def test_the_rate_limit_key_is_the_prefix_that_a_client_cannot_choose() -> None:
    assert (
        rate_limit_key("2001:db8:1:2::7") == rate_limit_key("2001:db8:1:2:ffff::8") != rate_limit_key("2001:db8:1:3::7")
    )
    assert rate_limit_key("10.0.0.7") == rate_limit_key("::ffff:10.0.0.7") != rate_limit_key("10.0.0.8")


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8300", True),
        ("[::1]:8300", True),
        ("192.168.1.20", True),
        ("localhost:8300", True),
        ("attic", True),
        ("attic.local:8300", True),
        ("play.example", True),
        ("PLAY.EXAMPLE.:443", True),
        ("evil.example", False),
        ("play.example.evil.example", False),
        ("127.0.0.1.evil.example:8300", False),
        ("evil/attic", False),
        ("evil@attic", False),
        ("attic#", False),
        ("attic:x", False),
        ("attic attic", False),
        ("[::1", False),
        ("my_server:8300", True),
    ],
)
def test_the_server_knows_its_host_names(host: str, known: bool) -> None:
    assert HostAllowlist("https://play.example").allows(host) == known


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://play.example:443", "https://play.example"),
        ("http://play.example:80/jam/", "http://play.example/jam"),
        ("https://play.example:80", "https://play.example:80"),
        ("http://play.example:443", "http://play.example:443"),
        ("https://Play.Example", "https://play.example"),
        ("https://[2001:DB8::7]:443", "https://[2001:db8::7]"),
        ("http://bücher.example", "http://xn--bcher-kva.example"),
        ("", ""),
    ],
)
def test_addresses_are_formatted_as_browsers_do(url: str, written: str) -> None:
    assert without_default_port(url) == written


@pytest.mark.parametrize("public", ["https://play.example:443", "https://play.example"])
@pytest.mark.parametrize("host", ["play.example", "play.example:443", "127.0.0.1:8300"])
async def test_the_own_origin_matches_with_and_without_the_default_port(store: Store, public: str, host: str) -> None:
    """Browsers leave the default port out of Host and Origin; a proxy may add it, or name the server otherwise."""
    async with online(store, public_url=public) as server:
        page = {"host": host, "origin": "https://play.example"}
        opened = await server.post(TABLES, OPEN, **page)
        assert opened.status == 201, opened
        cookie = opened.headers["set-cookie"].partition(";")[0]
        left = await server.post(f"{TABLES}/{opened.body['table']}/leave", cookie=cookie, **page)
        assert left.status == 204
        invited = await server.get(f"{TABLES}/{opened.body['table']}/invite")
        assert invited.body["link"].startswith("https://play.example/#/t/")
        for foreign in ("https://play.example:8443", "http://play.example:8080", "https://evil.example", "null", ""):
            refused = await server.post(TABLES, OPEN, host=host, origin=foreign)
            assert (refused.status, refused.body["code"]) == (403, "foreign-origin"), foreign


PUBLIC = "https://jam.example"
BEHIND = {"host": "jam.example", "x-forwarded-for": "192.0.2.9", "x-forwarded-proto": "https"}


async def is_let_in(server: Online, code: str, headers: dict[str, str]) -> bool:
    """Ask by POST and by WebSocket, which must agree."""
    posted = await server.post(TABLES, OPEN, **headers)
    assert posted.status == 201 or posted.body["code"] == "foreign-origin", posted
    try:
        where, others = f"ws://{headers['host']}{TABLES}/{code}/socket", {**headers}
        del others["host"]
        async with connect(where, host=HOST, port=server.port, additional_headers=others, proxy=None):
            connected = True
    except InvalidStatus as error:
        assert error.response.status_code == 403
        connected = False
    assert connected == (posted.status == 201), headers
    return connected


@pytest.mark.parametrize(
    ("page", "ours"),
    [
        ("https://jam.example", True),
        ("https://jam.example:443", True),
        ("http://jam.example", False),  # anybody on the way can write that page
        ("http://jam.example:80", False),
        ("http://jam.example:443", False),
        ("https://jam.example:80", False),
        ("https://jam.example:8443", False),
        ("ws://jam.example", False),
        ("https://jam.example.evil.example", False),
        ("https://[::1", False),
    ],
)
@pytest.mark.parametrize("proto", ["https", "http", ""])
@pytest.mark.parametrize("host", ["jam.example", "jam.example:80"])
async def test_with_a_public_url_only_its_origin_passes_the_proxy(
    store: Store, page: str, ours: bool, proto: str, host: str
) -> None:
    headers = {**BEHIND, "host": host, "x-forwarded-proto": proto, "origin": page}
    async with online(store, public_url=PUBLIC, proxies=Proxies([HOST])) as server:
        code = (await server.seated())[0]["table"]
        assert await is_let_in(server, code, headers) == ours


@pytest.mark.parametrize("public", ["", PUBLIC])
async def test_direct_requests_are_compared_by_scheme_too(store: Store, public: str) -> None:
    async with online(store, public_url=public, proxies=Proxies([HOST])) as server:
        code, own = (await server.seated())[0]["table"], f"127.0.0.1:{server.port}"
        for host, page, ours in (
            (own, f"http://{own}", True),
            ("attic.local", "http://attic.local", True),
            (own, f"https://{own}", False),
            (own, f"ws://{own}", False),
            ("attic.local", "https://attic.local", False),
        ):
            assert await is_let_in(server, code, {"host": host, "origin": page}) == ours, page


async def test_the_public_origin_is_required_without_trusted_proxies_too(store: Store) -> None:
    async with online(store, public_url=PUBLIC) as server:
        code = (await server.seated())[0]["table"]
        for host in ("jam.example", "jam.example.", f"jam.example:{server.port}"):
            for page, ours in ((f"http://{host}", False), ("http://jam.example", False), (PUBLIC, True)):
                assert await is_let_in(server, code, {"host": host, "origin": page}) == ours, (host, page)


async def test_without_a_public_url_the_proxy_declares_the_scheme(store: Store) -> None:
    async with online(store, proxies=Proxies([HOST])) as server:
        code = (await server.seated())[0]["table"]
        assert await is_let_in(server, code, {**BEHIND, "origin": "https://jam.example"})
        assert not await is_let_in(server, code, {**BEHIND, "origin": "http://jam.example"})


async def test_the_cookie_path_does_not_depend_on_the_port(store: Store) -> None:
    async with online(store, public_url="https://play.example:443/jam") as server:
        opened = await server.post(TABLES, OPEN, host="play.example", origin="https://play.example")
        assert "Path=/jam/api/v1" in opened.headers["set-cookie"]


async def test_without_a_public_url_a_missing_origin_is_foreign(store: Store) -> None:
    async with online(store) as server:
        for origin in ("null", "", "file://"):
            assert (await server.post(TABLES, OPEN, origin=origin)).body["code"] == "foreign-origin"


async def test_a_server_accepts_its_announced_host_name(store: Store) -> None:
    async with a_registry(store) as registry:
        app = build_app(registry, "https://play.example", own_url="http://jam.example.com:8300")
    assert all(app.state.host_allowlist.allows(host) for host in ("jam.example.com:8300", "play.example"))
    assert not app.state.host_allowlist.allows("evil.example")


@pytest.mark.parametrize("public", ["", "https://play.example"])
async def test_trusting_a_proxy_does_not_allow_other_host_names(store: Store, public: str) -> None:
    """A browser on the proxy's machine can be rebound like any other."""
    async with online(store, public_url=public, proxies=Proxies([HOST])) as server:
        claims = {"x-forwarded-host": "localhost", "x-forwarded-proto": "https"}
        for headers in ({}, claims, {**claims, "x-forwarded-for": ""}, {"x-forwarded-for": " , "}):
            refused = await server.get(TABLES, host="evil.example", **headers)
            assert (refused.status, refused.body["code"]) == (421, "foreign-host"), headers
        assert (await server.get(TABLES, host=f"127.0.0.1:{server.port}")).status == 200


async def test_with_a_public_url_host_names_behind_the_proxy_are_checked(store: Store) -> None:
    def asked(port: int, **headers: str) -> int:
        return call(port, "GET", TABLES, None, {"x-forwarded-for": "192.0.2.9", **headers}).status

    async with online(store, public_url="https://play.example", proxies=Proxies([HOST])) as server:
        for expected, headers in (
            (200, {"host": "play.example"}),
            (200, {"host": "127.0.0.1:8300", "x-forwarded-host": "play.example"}),
            (200, {"host": "jamboree:8300", "x-forwarded-host": "play.example:443"}),
            (421, {"host": "evil.example"}),
            (421, {"host": "play.example", "x-forwarded-host": "evil.example"}),
            (421, {"host": "evil.example", "x-forwarded-host": "play.example"}),
        ):
            assert await asyncio.to_thread(asked, server.port, **headers) == expected, headers


@pytest.mark.parametrize("public", ["", "https://play.example"])
async def test_invite_links_never_use_a_forged_host_name(store: Store, public: str) -> None:
    async with online(store, public_url=public, proxies=Proxies([HOST])) as server:
        ticket = (await server.seated(start=False))[0]
        table = f"{TABLES}/{ticket['table']}"
        forwarded = {"x-forwarded-for": "192.0.2.9", "x-forwarded-proto": "https", "host": "play.example"}
        for name in (
            "evil.example",
            "evil.example, evil.example",
            "localhost@evil.example",
            "play.example.evil.example",
        ):
            made_up = {**forwarded, "x-forwarded-host": name}
            for method, path, field in (("GET", "invite", "link"), ("POST", "links", "address")):
                shown = {**made_up, "authorization": f"Bearer {ticket['token']}"}
                answer = await asyncio.to_thread(call, server.port, method, f"{table}/{path}", None, shown)
                assert answer.status == 421 if public else answer.body[field].startswith("https://play.example/#/")
        allowed = await server.get(f"{table}/invite", **{**forwarded, "x-forwarded-host": "attic.local"})
        assert allowed.body["link"].startswith(public or "https://attic.local/#/")


async def test_dns_rebinding_is_refused(store: Store) -> None:
    async with online(store) as server:
        for path in ("/", TABLES, "/live"):
            refused = await server.get(path, host="evil.example")
            assert (refused.status, refused.body["code"]) == (421, "foreign-host")
        refused = await server.post(TABLES, OPEN, host="evil.example", origin="http://evil.example")
        assert refused.status == 421


@pytest.mark.parametrize("public", ["", "https://play.example"])
@pytest.mark.parametrize("name", ["nginx", "haproxy"])
async def test_requests_through_a_real_proxy(store: Store, tmp_path: Path, name: str, public: str) -> None:
    limits = RateLimits(requests=Rate(8, 600.0))
    async with online(store, public_url=public, limits=limits, proxies=Proxies([HOST])) as server:
        with a_proxy(name, server.port, tmp_path) as port:
            headers = {"host": "play.example", "origin": "https://play.example"}
            opened = await asyncio.to_thread(call, port, "POST", TABLES, OPEN, headers)
            assert opened.status == 201 and "secure" in opened.headers["set-cookie"].lower()
            code = opened.body["table"]
            invite = await asyncio.to_thread(call, port, "GET", f"{TABLES}/{code}/invite", None, headers)
            if public or name == "haproxy":
                assert invite.body["link"] == f"https://play.example/#/t/{code}"
            else:  # this nginx names the server in X-Forwarded-Host alone, which could be made up
                assert invite.body["link"] == f"https://{HOST}:{server.port}/#/t/{code}"
            where = f"ws://play.example{TABLES}/{code}/socket"
            async with connect(where, host=HOST, port=port, proxy=None) as socket:
                assert (await Player(socket).hello())["type"] == "welcome"
            statuses = [await asyncio.to_thread(asked_by_a_liar, port, number) for number in range(10)]
            assert statuses == [200] * 8 + [429] * 2, "what a client claims of itself makes nobody new of it"


@pytest.mark.parametrize("trusted", [[], ["10.0.0.1"], ["127.0.0.1"]])
async def test_an_untrusted_forwarded_header_is_ignored(store: Store, trusted: list[str]) -> None:
    claims = ["6.6.6.6", "6.6.6.7, 10.0.0.1", "6.6.6.8, 127.0.0.1", "2001:db8::1", "nonsense", "6.6.6.9"]
    limits, liar = RateLimits(requests=Rate(len(claims) - 1, 600.0)), "127.0.0.9"
    async with online(store, limits=limits, proxies=Proxies(trusted)) as server:

        async def asked(claim: str) -> int:
            headers = {"x-forwarded-for": claim, "x-forwarded-host": "evil.example"}
            return (await asyncio.to_thread(call, server.port, "GET", "/api/v1/games", None, headers, liar)).status

        assert [await asked(claim) for claim in claims] == [200, 200, 200, 200, 200, 429]


async def test_an_unconfigured_proxy_is_logged_once(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async with online(store) as server:
        for _ in range(3):
            await server.get("/live", **{"x-forwarded-for": "10.0.0.7"})
    assert [record.getMessage() for record in caplog.records if "--trust-proxy" in record.getMessage()][1:] == []
    assert "--trust-proxy 127.0.0.1" in caplog.text


@pytest.mark.parametrize(("version", "status"), [("13", 403), ("12", 400)])
async def test_refused_handshakes_are_neither_cached_nor_sniffed(store: Store, version: str, status: int) -> None:
    async with online(store) as server:
        keys = {"sec-websocket-version": version, "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="}
        upgrade = {"upgrade": "websocket", "connection": "upgrade"}
        refused = await server.get(f"{TABLES}/nowhere/socket", **keys, **upgrade)
        headers = {name.lower(): value for name, value in refused.headers.items()}
        assert refused.status == status
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"


async def test_error_responses_are_neither_cached_nor_sniffed(store: Store) -> None:
    async with online(store) as server:
        table = (await server.seated())[0]["table"]
        answers = [
            await server.get("/api/v1/nothing"),
            await server.post("/api/v1/games", {}),
            await server.post(TABLES, b" " * 70_000),
            await server.get(f"{TABLES}/nowhere"),
            await server.get(f"{TABLES}/{table}", authorization="Bearer wrong"),
        ]
        assert [answer.status for answer in answers] == [404, 405, 413, 404, 403]
        for answer in answers:
            headers = {name.lower(): value for name, value in answer.headers.items()}
            assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
            assert headers["referrer-policy"] == "no-referrer"
        garbage = await server.raw("/ HTTP/9.9\r\n\x00")
        assert b"nosniff" in garbage and b"no-store" in garbage and b"malformed" in garbage
