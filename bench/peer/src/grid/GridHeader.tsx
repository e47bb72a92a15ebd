import { FlexRender } from "@tanstack/react-table";
import type { Header, RowData } from "@tanstack/react-table";

import type { GridFeatures } from "./features";

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

export function HeaderCell<T extends RowData>({ header }: { header: Header<GridFeatures, T, any> }) {
  const { column } = header;
  const label = <FlexRender header={header} />;
  if (!column.getCanSort()) {
    return (
      <div role="columnheader" className="cell" data-align={column.columnDef.meta?.align}>
        {label}
      </div>
    );
  }
  const sorted = column.getIsSorted();
  return (
    <div
      role="columnheader"
      className="cell"
      data-align={column.columnDef.meta?.align}
      aria-sort={sorted ? ARIA_SORT[sorted] : "none"}
    >
      <button type="button" className="sort" onClick={column.getToggleSortingHandler()}>
        {label}
      </button>
    </div>
  );
}
