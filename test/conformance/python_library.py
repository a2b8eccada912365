"""Calls every method of the published Python library, synchronous and asynchronous, and prints what it found.

Reads from standard input: the address of the service, an API key, a URL that answers webhooks, a bank statement. A method that raises, or
whose model cannot read an answer, ends the program.
"""

import asyncio
import base64
import inspect
import json
import sys
import time

import ntropy_sdk
from ntropy_sdk import SDK
from ntropy_sdk.async_.sdk import AsyncSDK

task = json.load(sys.stdin)

class Client:
    """The library behind one way of calling: `client("batches.get", id=…)`. Keeps which methods were called."""

    def __init__(self, sdk, wait):
        sdk.base_url = task["url"]
        self.sdk = sdk
        self.wait = wait
        self.called = set()

    def methods(self):
        """Every public method of every resource, as `resource.method`."""
        found = set()
        for name, resource in vars(self.sdk).items():
            if type(resource).__name__.endswith(("Resource", "ResourceAsync")):
                methods = inspect.getmembers(resource, inspect.ismethod)
                found |= {f"{name}.{method}" for method, _ in methods if not method.startswith("_")}
        return found

    def __call__(self, name, /, **arguments):
        resource, method = name.split(".")
        call = getattr(getattr(self.sdk, resource), method)
        self.called.add(name)
        return self.wait(call(**arguments))

    def takes(self, name, argument):
        resource, method = name.split(".")
        return argument in inspect.signature(getattr(getattr(self.sdk, resource), method)).parameters

    def walk(self, page):
        """All rows from this page to the last."""
        rows = page.auto_paginate(page_size=1)
        if hasattr(rows, "__aiter__"):

            async def collect():
                return [row async for row in rows]

            return self.wait(collect())
        return list(rows)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def raises(error, client, name, /, **arguments):
    try:
        client(name, **arguments)
    except error as raised:
        expect(raised.req_id, f"{name}: the error names no request")
        return raised
    raise AssertionError(f"{name}: {error.__name__} was not raised")


def transaction(id, holder):
    return {
        "id": id,
        "description": "SQ *BLUE BOTTLE COFFEE OAKLAND CA",
        "date": "2026-01-02",
        "amount": 5.5,
        "entry_type": "outgoing",
        "currency": "USD",
        "account_holder_id": holder,
    }


def drive_account_holders(client, mark):
    ids = [f"{mark}-{number}" for number in range(3)]
    for id in ids:
        made = client("account_holders.create", id=id, type="consumer", name="Ada")
        expect((made.id, made.name) == (id, "Ada"), made)
    got = client("account_holders.get", id=ids[0], request_id="a" * 32)
    expect(got.request_id == "a" * 32, "the id of the request did not come back")
    rows = client.walk(client("account_holders.list", limit=2))
    listed = [row.id for row in rows if row.id.startswith(mark)]
    expect(sorted(listed) == ids, f"pages repeat or skip: {listed}")
    raises(ntropy_sdk.NtropyValueError, client, "account_holders.create", id=ids[0], type="consumer")
    return ids


def drive_transactions(client, mark, holders):
    entity = None
    for number, holder in enumerate([holders[0], None]):
        made = client("transactions.create", **transaction(f"{mark}-{number}", holder))
        expect(made.error is None, made)
        entity = made.entities.counterparty
    expect(entity.name == "Blue Bottle Coffee", entity)
    got = client("transactions.get", id=f"{mark}-0")
    expect(got.account_holder_id == holders[0] and got.categories.general, got)
    assigned = client("transactions.assign", transaction_id=f"{mark}-1", account_holder_id=holders[1])
    expect(assigned.account_holder_id == holders[1], assigned)
    page = client("transactions.list", account_holder_id=holders[0], limit=1)
    expect([row.id for row in client.walk(page)] == [f"{mark}-0"], page)
    unknown = client("transactions.create", **transaction(f"{mark}-2", f"{mark}-unknown"))
    expect(unknown.error.code.value == "account_holder_not_found", unknown)
    raises(ntropy_sdk.NtropyNotFoundError, client, "transactions.get", id=f"{mark}-none")
    client("transactions.delete", id=f"{mark}-1")
    return entity


def drive_recurring_groups(client, mark):
    holder = f"{mark}-subscriber"
    client("account_holders.create", id=holder, type="consumer", name="Ada")
    expect(client("account_holders.recurring_groups", id=holder).groups == [], "an empty ledger has groups")
    for month in (1, 2, 3):
        netflix = {"description": "NETFLIX.COM", "amount": 15.49, "date": f"2026-0{month}-03"}
        client("transactions.create", **{**transaction(f"{holder}-{month}", holder), **netflix})
    for date in ("2026-01-15", "2026-01-30", "2026-02-13", "2026-02-27", "2026-03-13", "2026-03-31", "2026-04-15"):
        pay = {"description": "ACME WIDGETS PAYROLL", "amount": 1875, "date": date, "entry_type": "incoming"}
        client("transactions.create", **{**transaction(f"{holder}-{date}", holder), **pay})
    groups = {len(one.transaction_ids): one for one in client("account_holders.recurring_groups", id=holder).groups}
    expect(sorted(groups) == [3, 7], groups)
    group = groups[3]
    expect(group.transaction_ids == [f"{holder}-{month}" for month in (1, 2, 3)], group)
    expect((group.periodicity.value, group.total_amount) == ("monthly", 46.47), group)
    expect(group.counterparty.name == "Netflix" and group.categories.general, group)
    expect((str(group.start_date), str(group.end_date)) == ("2026-01-03", "2026-03-03"), group)
    unknown = f"{mark}-unknown-holder"
    raises(ntropy_sdk.NtropyNotFoundError, client, "account_holders.recurring_groups", id=unknown)


def drive_batches(client, mark):
    data = [transaction(f"{mark}-batch-{number}", None) for number in range(3)]
    asked = {"operation": "POST /v3/transactions", "data": data}
    has_priority = client.takes("batches.create", "priority")
    batch = client("batches.create", **asked, **({"priority": "low"} if has_priority else {}))
    arguments = {"id": batch.id, "poll_interval": 0, "with_progress": False}
    results = client("batches.wait_for_results", **arguments)
    expect([one.id for one in results.results] == [one["id"] for one in data], results)
    expect(client("batches.results", id=batch.id).total == 3, "results")
    client("batches.wait_for_results", **{**arguments, "with_progress": True})
    got = client("batches.get", id=batch.id)
    expect(got.is_completed() and got.progress == 3, got)
    listed = {row.id: row for row in client.walk(client("batches.list", limit=1))}
    expect(batch.id in listed, listed)
    if has_priority:
        expect({one.priority.value for one in [batch, got, listed[batch.id]]} == {"low"}, got)
        expect(client("batches.create", **asked).priority.value == "default", "default priority")
    raises(ntropy_sdk.NtropyNotFoundError, client, "batches.get", id=f"{mark}-none")
    raises(ntropy_sdk.NtropyValidationError, client, "batches.create", **{**asked, "data": [{}]})


def drive_categories(client, mark):
    words = client("categories.get", category_id="consumer")
    expect(words["outgoing"] and words["incoming"], words)
    sent = {"outgoing": ["Coffee"], "incoming": ["Salary"]}
    client("categories.set", category_id=mark, categories=sent)
    expect(client("categories.get", category_id=mark)["outgoing"], "the set is not there")
    client("categories.delete" if hasattr(client.sdk.categories, "delete") else "categories.reset", category_id=mark)
    client("categories.reset", category_id="consumer")


def drive_entities(client, entity):
    expect(client("entities.get", id=entity.id).name == entity.name, entity)
    expect(client("entities.resolve", name="Blue Bottle Coffee").id == entity.id, "by name")
    expect(client("entities.resolve", website=entity.website).id == entity.id, "by website")
    raises(ntropy_sdk.NtropyValueError, client, "entities.resolve")


def drive_webhooks(client):
    arguments = {"url": task["receiver"], "events": ["batches.completed", "reports.resolved"]}
    for optional, value in [("token", "secret-token"), ("hmac_secret", "secret of the hmac")]:
        if client.takes("webhooks.create", optional):
            arguments[optional] = value
    made = client("webhooks.create", **arguments)
    expect(client("webhooks.get", id=made.id).url == task["receiver"], made)
    expect(made.id in [row.id for row in client.walk(client("webhooks.list"))], "list")
    client("webhooks.patch", id=made.id, enabled=False)
    expect(client("webhooks.get", id=made.id).enabled is False, "the webhook is still enabled")
    client("webhooks.delete", id=made.id)
    raises(ntropy_sdk.NtropyNotFoundError, client, "webhooks.get", id=made.id)


def drive_reports(client, mark):
    asked = {"transaction_id": f"{mark}-0", "description": "not mine", "fields": ["merchant"]}
    made = client("reports.create", **asked)
    expect(client("reports.get", id=made.id).transaction_id == f"{mark}-0", made)
    expect(made.id in [row.id for row in client.walk(client("reports.list", limit=1))], "list")
    client("reports.delete", id=made.id)


def drive_rules(client):
    client("rules.replace", rules=[])
    made = [client("rules.create", rule={"add_label": word}) for word in ("rent", "coffee")]
    expect([one.id for one in made] == ["0", "1"], made)
    expect(client("rules.patch", id=made[1].id, rule={"add_label": "tea"}).id == "1", "patch")
    expect([one.add_label for one in client("rules.get")] == ["rent", "tea"], "get")
    client("rules.delete", id=made[0].id)
    raises(ntropy_sdk.NtropyValueError, client, "rules.delete", id="7")
    client("rules.replace", rules=[])


def drive_bank_statements(client, mark):
    file = base64.b64decode(task["statement"])
    made = client("bank_statements.create", file=file, filename="statement.pdf")
    expect((made.file.size, made.name) == (len(file), "statement.pdf"), made)
    results = client("bank_statements.wait_for_results", id=made.id, poll_interval=0)
    [account] = results.accounts
    expect((account.opening_balance, account.closing_balance) == (100, 145), account)
    expect(account.is_balance_reconciled is True and account.number == "1234-5678", account)
    rows = [(str(row.date), row.entry_type.value, row.amount, row.running_balance) for row in account.transactions]
    expect(rows == [("2026-01-02", "outgoing", 5, 95), ("2026-01-05", "incoming", 50, 145)], rows)
    expect(all(row.id and row.currency == "EUR" for row in account.transactions), account)
    expect(len(client("bank_statements.results", id=made.id).accounts) == 1, "results")
    got = client("bank_statements.get", id=made.id)
    expect(got.is_completed() and got.file.no_pages == 1, got)
    info = client("bank_statements.verify", id=made.id)
    expect(str(info.start_date) == "2026-01-01" and info.accounts[0].closing_balance == 145, info)
    broken = client("bank_statements.create", file=b"%PDF-1.4 and nothing more", filename="broken.pdf")
    expect(fails(client, broken.id) == "invalid_bank_statement", broken)
    listed = {row.id: row for row in client.walk(client("bank_statements.list", limit=1))}
    expect(listed[made.id].is_completed() and listed[broken.id].is_error(), listed)
    completed = client.walk(client("bank_statements.list", status=got.status))
    expect(made.id in [row.id for row in completed] and broken.id not in [row.id for row in completed], completed)
    raises(ntropy_sdk.NtropyNotFoundError, client, "bank_statements.results", id=broken.id)
    client("bank_statements.delete", id=made.id)
    raises(ntropy_sdk.NtropyNotFoundError, client, "bank_statements.get", id=made.id)


def fails(client, id):
    """The code of the error with which a bank statement ends."""
    try:
        client("bank_statements.wait_for_results", id=id, poll_interval=0)
    except Exception as raised:
        expect(type(raised).__name__ == "NtropyBankStatementError", repr(raised))
        return client("bank_statements.get", id=id).error.code
    raise AssertionError("a broken document has results")


def drive(client, mark):
    holders = drive_account_holders(client, mark)
    entity = drive_transactions(client, mark, holders)
    drive_recurring_groups(client, mark)
    drive_batches(client, mark)
    drive_categories(client, mark)
    drive_entities(client, entity)
    drive_webhooks(client)
    drive_reports(client, mark)
    drive_rules(client)
    drive_bank_statements(client, mark)
    for id in holders:
        client("account_holders.delete", id=id)
    raises(ntropy_sdk.NtropyNotAuthorizedError, client, "account_holders.list", api_key="made up")
    return {"methods": sorted(client.methods()), "called": sorted(client.called)}


def returned(value):
    return value


started = time.monotonic()
loop = asyncio.new_event_loop()
asynchronous = AsyncSDK(task["key"])
print(
    json.dumps(
        {
            "version": ntropy_sdk.__version__,
            "sync": drive(Client(SDK(task["key"]), returned), "sync"),
            "async": drive(Client(asynchronous, loop.run_until_complete), "async"),
        }
    )
)
loop.run_until_complete(asynchronous.http_client.close())
