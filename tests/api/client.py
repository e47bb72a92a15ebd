"""Calls a service with the client that was generated from its OpenAPI document.

Arguments: the address of the service, and a key.
"""

import datetime
import re
import sys

from workspace import models
from workspace.api.accounts import get_account_pulse, query_accounts
from workspace.api.leads import get_lead, query_leads, update_lead
from workspace.client import AuthenticatedClient

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key)

# A schema without a name gets one such as LeadFilterType17Operator.
invented = [name for name in models.__all__ if re.search(r"Type\d", name)]
assert not invented, invented

query = models.LeadQuery(
    filters=[
        models.LeadChoiceFilter(
            field=models.LeadChoiceFilterField.ICP_TIER, operator=models.Operator.IN, value=["A", "B"]
        ),
        models.LeadNumberFilter(
            field=models.LeadNumberFilterField.ICP_SCORE, operator=models.Operator.BETWEEN, value=[70, 100]
        ),
        models.LeadDateFilter(
            field=models.LeadDateFilterField.CREATED_AT,
            operator=models.Operator.GTE,
            value=datetime.date(2000, 1, 1),
        ),
        models.LeadTextFilter(field=models.LeadTextFilterField.NAME, operator=models.Operator.IS_SET),
    ],
    sort_by=models.LeadSort.ICP_SCORE,
    page_size=5,
)
page = query_leads.sync(client=client, body=query)
assert isinstance(page, models.PageOfLeadListItem), page
everyone = query_leads.sync(client=client, body=models.LeadQuery())
assert isinstance(everyone, models.PageOfLeadListItem), everyone
assert page.data and 0 < page.total < everyone.total, (page.total, everyone.total)

lead = page.data[0]
detail = get_lead.sync(lead.lead_id, client=client)
assert isinstance(detail, models.LeadDetail) and detail.name == lead.name, detail
update = models.LeadUpdate(approval_status=models.NewApprovalStatus.APPROVED)
updated = update_lead.sync(lead.lead_id, client=client, body=update)
assert isinstance(updated, models.LeadUpdated) and updated.approval_status == "approved", updated

named = models.AccountTextFilter(
    field=models.AccountTextFilterField.NAME, operator=models.Operator.CONTAINS, value="a"
)
accounts = query_accounts.sync(client=client, body=models.AccountQuery(filters=[named]))
assert isinstance(accounts, models.PageOfAccount) and accounts.data, accounts
pulse = get_account_pulse.sync(accounts.data[0].id, client=client)
assert isinstance(pulse, models.AccountPulse), pulse

# A filter that does not go with its field is an error with a reason.
wrong = models.LeadNumberFilter(
    field=models.LeadNumberFilterField.ICP_SCORE, operator=models.Operator.GTE, value="seventy"
)
refused = query_leads.sync(client=client, body=models.LeadQuery(filters=[wrong]))
assert isinstance(refused, models.Error) and refused.detail, refused
