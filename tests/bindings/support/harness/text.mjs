// What the components of the harness show: the tests read it back.

export const textOf = ({ snapshot, page, error, isLoading }) =>
  JSON.stringify({
    pending: snapshot.pending,
    rows: page?.data.map((row) => `${row.lead_id} ${row.approval_status}`) ?? null,
    error: error?.message ?? null,
    isLoading,
  });
