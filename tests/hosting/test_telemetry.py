"""OpenTelemetry spans: exported if enabled, and without personal data."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from jamboree.server import telemetry
from jamboree.server.store.store import Store
from tests.server.bench.online import online


@pytest.fixture
def sent() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry.enable(provider)
    yield exporter
    telemetry.disable()


async def test_spans_contain_no_request_data(store: Store, sent: InMemorySpanExporter) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        await server.get(f"/api/v1/tables/{tickets[0]['table']}/log", authorization=f"Bearer {tickets[0]['token']}")
    spans = {span.name: dict(span.attributes or {}) for span in sent.get_finished_spans()}
    assert spans["POST /api/v1/tables"] == {"jamboree.status": 201}
    assert spans["GET /api/v1/tables/{code}/log"] == {"jamboree.status": 200}
    assert spans["commit"]["jamboree.changes"] == 1
    exported = "".join(span.to_json() for span in sent.get_finished_spans())
    for secret in ("Ada", "Bob", "127.0.0.1", tickets[0]["table"], tickets[0]["token"]):
        assert secret not in exported


async def test_telemetry_is_off_by_default(store: Store, sent: InMemorySpanExporter) -> None:
    telemetry.disable()
    async with online(store) as server:
        await server.seated()
    assert sent.get_finished_spans() == ()
