"""The server's metrics; the dashboard and the alerts use existing ones."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from jamboree.server.store.store import Store
from tests.server.bench.online import online

DEPLOY = Path(__file__).parents[2] / "deploy"
FIGURE = re.compile(r"\bjamboree_\w+")
SAMPLE = re.compile(r'jamboree_\w+(\{\w+="[^"]*"\})? -?[\d.e+-]+')
OF_A_HISTOGRAM = ("_bucket", "_sum", "_count")


def dashboard() -> Any:
    return json.loads((DEPLOY / "grafana" / "jamboree.json").read_text(encoding="utf-8"))


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


async def exported(store: Store) -> str:
    async with online(store) as server:
        await server.seated()
        await server.get("/api/v1/nothing")
        return await server.metrics()


def samples(text: str) -> set[str]:
    return {found[0] for line in text.splitlines() if (found := FIGURE.match(line))}


async def test_every_metric_of_dashboard_and_alerts_is_exported(store: Store) -> None:
    known = samples(await exported(store))
    shown = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    named = {name for text in [*shown, *(rule["expr"] for rule in alerts())] for name in FIGURE.findall(text)}
    assert len(named) > 20
    assert sorted(named - known) == []


async def test_every_exported_metric_is_on_the_dashboard(store: Store) -> None:
    shown = json.dumps(dashboard())
    known = {name for name in samples(await exported(store)) if not name.endswith(OF_A_HISTOGRAM)}
    besides = {"jamboree_info", "jamboree_tables", "jamboree_commits_total"}  # counted otherwise there
    assert sorted(name for name in known - besides if name not in shown) == []


async def test_metrics_are_valid_prometheus_text(store: Store) -> None:
    text = await exported(store)
    lines = text.splitlines()
    assert [line for line in lines if not (line.startswith("# ") or SAMPLE.fullmatch(line))] == []
    for name in samples(text):
        base = next((name.removesuffix(end) for end in OF_A_HISTOGRAM if f"# TYPE {name}" not in text), name)
        family = name if f"# TYPE {name} " in text else re.sub(r"_(bucket|sum|count)$", "", base)
        assert text.count(f"# TYPE {family} ") == 1 and text.count(f"# HELP {family} ") == 1, name


async def test_metrics_count_events(store: Store) -> None:
    text = await exported(store)
    assert 'jamboree_tables_by_status{status="playing"} 1' in text
    assert 'jamboree_answers_total{class="4xx"} 1' in text
    assert "jamboree_database_ok 1" in text
    commits = re.search(r"jamboree_commit_seconds_count (\d+)", text)
    assert commits and int(commits[1]) > 0
    store.health.stop("the disk is full")
    assert "jamboree_database_ok 0" in await exported_again(store)


async def exported_again(store: Store) -> str:
    async with online(store) as server:
        return await server.metrics()


def test_every_alert_has_a_description_and_a_remedy() -> None:
    for rule in alerts():
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["description"].endswith(".")
        assert rule["labels"]["severity"] in ("page", "warn")


def test_panels_do_not_overlap() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard()["panels"]]
    assert len(places) == len(set(places))
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(places)


@pytest.mark.parametrize("secret", ["Ada", "Bob"])
async def test_metrics_have_no_personal_data(store: Store, secret: str) -> None:
    assert secret not in await exported(store)
