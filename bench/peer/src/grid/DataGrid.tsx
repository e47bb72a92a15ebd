import { useTable } from "@tanstack/react-table";
import type { RowData, SortingState, Updater } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef } from "react";
import type { CSSProperties } from "react";

import type { PageOptions } from "../api/queries";
import type { QuerySpec } from "../api/types";
import { formatNumber } from "../lib/format";
import { gridFeatures } from "./features";
import type { GridColumn } from "./features";
import { HeaderCell } from "./GridHeader";
import { GridRow, PlaceholderRow } from "./GridRow";
import { useListHead, usePageWindow } from "./usePageWindow";

const ROW_HEIGHT = 36; // `--row` in styles.css
const LOADING_ROWS = 25;

interface DataGridProps<T extends RowData> {
  label: string;
  columns: GridColumn<T>[];
  pageOptions: PageOptions<T>;
  spec: QuerySpec;
  sorting: SortingState;
  onSortingChange: (updater: Updater<SortingState>) => void;
  getRowId: (item: T) => string;
  rowAttributes?: (item: T) => Record<`data-${string}`, string>;
  activeId: string | null;
  onOpen: (item: T) => void;
}

export function DataGrid<T extends RowData>({
  label,
  columns,
  pageOptions,
  spec,
  sorting,
  onSortingChange,
  getRowId,
  rowAttributes,
  activeId,
  onOpen,
}: DataGridProps<T>) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const { total, shown, isPending, isStale, error: headError } = useListHead(pageOptions, spec);

  const virtualizer = useVirtualizer({
    count: isPending ? LOADING_ROWS : total,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const virtualRows = virtualizer.getVirtualItems();

  const { items, itemAt, error } = usePageWindow(
    pageOptions,
    shown,
    virtualRows[0]?.index ?? 0,
    virtualRows.at(-1)?.index ?? 0,
  );

  const table = useTable({
    features: gridFeatures,
    columns,
    data: items,
    getRowId,
    manualSorting: true,
    enableSortingRemoval: false,
    state: { sorting },
    onSortingChange,
  });
  const { rowsById } = table.getRowModel();
  const selection = table.state.rowSelection;
  const selectedCount = Object.keys(selection).length;

  // A different query is a different list, so scroll back to its top.
  useLayoutEffect(() => {
    scrollRef.current?.scrollTo({ top: 0 });
  }, [shown]);

  const gridStyle = useMemo(
    () => ({ "--columns": columns.map((column) => column.meta?.width ?? "1fr").join(" ") }) as CSSProperties,
    [columns],
  );
  const failure = headError ?? error;

  return (
    <section className="grid-panel">
      <div
        ref={scrollRef}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-busy={isPending || isStale}
        className="grid"
        style={gridStyle}
      >
        <div role="rowgroup" className="grid-head">
          {table.getHeaderGroups().map((group) => (
            <div key={group.id} role="row" aria-rowindex={1} className="row-head">
              {group.headers.map((header) => (
                <HeaderCell key={header.id} header={header} />
              ))}
            </div>
          ))}
        </div>
        <div role="rowgroup" className="grid-body" style={{ height: virtualizer.getTotalSize() }}>
          {virtualRows.map(({ key, index, start }) => {
            const item = itemAt(index);
            const row = item && rowsById[getRowId(item)];
            return row ? (
              <GridRow
                key={key}
                row={row}
                item={row.original}
                rowIndex={index + 2}
                offset={start}
                selected={row.id in selection}
                active={row.id === activeId}
                attributes={rowAttributes}
                onOpen={onOpen}
              />
            ) : (
              <PlaceholderRow key={key} rowIndex={index + 2} offset={start} columnCount={columns.length} />
            );
          })}
        </div>
      </div>
      <footer className="grid-foot">
        {failure ? (
          <span role="alert">{failure.message}</span>
        ) : (
          <span role="status">
            {formatNumber(total)} {label.toLowerCase()}
            {selectedCount > 0 && ` · ${formatNumber(selectedCount)} selected`}
          </span>
        )}
      </footer>
    </section>
  );
}
