"""Calls every method of the v2 part of the published Python library, and prints what it found. Version 4 is that part alone.

Reads from standard input: the address of the service, an API key, a URL that answers webhooks, a bank statement. A method that raises, or
whose model cannot read an answer, ends the program.
"""

import base64
import importlib.metadata
import inspect
import io
import json
import sys
import time
from datetime import date

try:
    from ntropy_sdk.v2 import AccountHolder, NtropyError, SDK, Transaction
except ImportError:
    from ntropy_sdk import AccountHolder, NtropyError, SDK, Transaction

task = json.load(sys.stdin)

#: They call no route.
LOCAL = {"df_to_transaction_list", "retry_ratelimited_request"}

sdk = SDK(task["key"], with_progress=False)
sdk.base_url = task["url"]
called = set()


def methods():
    found = {name for name, _ in inspect.getmembers(sdk, inspect.ismethod) if not name.startswith("_")}
    return found - LOCAL


def call(name, *arguments, **named):
    called.add(name)
    return getattr(sdk, name)(*arguments, **named)


def transaction(number, month, **fields):
    return Transaction(
        **{
            "transaction_id": f"rent-{number}",
            "description": "RENT PAYMENT OAKWOOD APARTMENTS",
            "entry_type": "debit",
            "amount": 1450.5,
            "iso_currency_code": "USD",
            "date": f"2026-{month:02d}-05",
            "account_holder_id": "holder",
            "account_holder_type": "consumer",
            "country": "US",
            **fields,
        }
    )


call(
    "create_account_holder",
    AccountHolder(id="holder", type="consumer", name="Ann", industry="none", website="example.com"),
)
holder = call("get_account_holder", "holder")
assert (holder.name, holder.type, holder.industry) == ("Ann", "consumer", "none"), holder
try:
    call("get_account_holder", "not there")
    raise AssertionError("a holder that is not there was found")
except (ValueError, NtropyError):
    pass

rents = [transaction(number, number) for number in range(1, 7)]
enriched = call("add_transactions", rents)
assert [one.transaction_id for one in enriched] == [one.transaction_id for one in rents]
assert enriched[0].labels == ["rent and property management fee"], enriched[0]
assert enriched[0].recurrence == "recurring", enriched[0]
assert len(enriched[0].recurrence_group.transaction_ids) == 6, enriched[0].recurrence_group
income = transaction(
    "pay", 1, transaction_id="pay", description="ACME CORP PAYROLL DIRECT DEP", entry_type="credit"
)
company = transaction(
    "company", 1, transaction_id="c", account_holder_id="company", account_holder_type="business"
)
batch = call("add_transactions_async", [income, company])
results = batch.wait(poll_interval=0.05, with_progress=False)
assert [one.transaction_id for one in results] == ["pay", "c"], results
assert results[1].transaction_type == "business", results[1]

listed = call("get_account_holder_transactions", "holder")
assert len(listed) == 7, listed
assert {one.transaction_id for one in call("get_account_holder_transactions", "holder", transaction_ids=["rent-2", "c"])} == {
    "rent-2"
}
metrics = call("get_account_holder_metrics", "holder", ["overall_stats", "stats_by_label"], date(2026, 1, 1), date(2026, 12, 31))
assert metrics["overall_stats"]["outgoing"]["USD"]["sum"] == 8703, metrics
payments = call("get_recurring_payments", "holder")
assert len(payments) == 1 and len(payments[0].transactions) == 6, payments
call("get_income_report", "holder")

for account_type in ("consumer", "business", "unknown"):
    assert call("get_labels", account_type), account_type
own = {"incoming": ["Pay"], "outgoing": ["Everything"]}
call("create_custom_hierarchy", "business", own)
assert call("get_custom_hierarchy", "business") == own
call("delete_custom_hierarchy", "business")

# The library has no method for models: its general request has their status and errors.
labelled = [
    {
        "account_holder_type": "consumer",
        "amount": 5,
        "entry_type": "debit",
        "iso_currency_code": "USD",
        "description": f"{place} {number}",
        "label": [label],
    }
    for place, label in (("SHELL PETROL", "fuel"), ("RYMAN STATIONERS", "paper"))
    for number in range(5)
]
sdk.retry_ratelimited_request("POST", "/v2/models/mine", {"transactions": labelled})
model = {"status": "queued"}
deadline = time.monotonic() + 60
while model["status"] in ("queued", "training") and time.monotonic() < deadline:
    time.sleep(0.05)
    model = sdk.retry_ratelimited_request("GET", "/v2/models/mine").json()
assert (model["name"], model["status"], model["progress"]) == ("mine", "ready", 100), model
assert [one["name"] for one in sdk.retry_ratelimited_request("GET", "/v2/models").json()] == ["mine"]

report = call("create_report", "rent-1", webhook_url=f"{task['receiver']}/report", merchant="Oakwood", notes="wrong")
assert call("get_report", report.id).status == report.status
assert [one.id for one in call("list_reports", transaction_id="rent-1")] == [report.id]
report.poll()

statement = call(
    "add_bank_statement",
    io.BytesIO(base64.b64decode(task["statement"])),
    filename="statement.pdf",
    account_holder_id="of the statement",
)
info = statement.statement_info()
assert (str(info.start_date), info.accounts[0].closing_balance) == ("2026-01-01", 145), info
found = statement.wait(with_progress=False, poll_interval=0.05)
assert sorted(one.parent_tx.description for one in found) == ["Coffee house statement", "Salary"], found
assert all(one.labels for one in found), found
read = statement.poll()
assert (read.status, read.account_type.value) == ("processed", "business"), read
assert [(one.begin_balance, one.is_balance_reconciled) for one in read.statements] == [(100, True)], read
assert len(call("get_account_holder_transactions", "of the statement")) == 2
broken = call("add_bank_statement", io.BytesIO(b"%PDF-1.4 and nothing more"), account_holder_id="of the statement")
try:
    broken.wait(with_progress=False, poll_interval=0.05)
    raise AssertionError("a broken document was processed")
except Exception as error:
    assert getattr(error, "error_code", None) == 301, repr(error)

print(
    json.dumps(
        {
            "version": importlib.metadata.version("ntropy-sdk"),
            "methods": sorted(methods()),
            "called": sorted(called),
        }
    )
)
