import { FlexRender } from "@tanstack/react-table";
import type { Row, RowData } from "@tanstack/react-table";
import { memo } from "react";
import type { KeyboardEvent } from "react";

import type { GridFeatures } from "./features";

interface GridRowProps<T extends RowData> {
  row: Row<GridFeatures, T>;
  item: T;
  rowIndex: number;
  offset: number;
  selected: boolean;
  active: boolean;
  attributes?: (item: T) => Record<`data-${string}`, string>;
  onOpen: (item: T) => void;
}

function GridRowView<T extends RowData>({
  row,
  item,
  rowIndex,
  offset,
  selected,
  active,
  attributes,
  onOpen,
}: GridRowProps<T>) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target === event.currentTarget) onOpen(item);
  };
  return (
    <div
      role="row"
      className="row"
      tabIndex={0}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      data-active={active || undefined}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={() => onOpen(item)}
      onKeyDown={onKeyDown}
      {...attributes?.(item)}
    >
      {row.getAllCells().map((cell) => (
        <div
          key={cell.column.id}
          role="gridcell"
          className="cell"
          data-align={cell.column.columnDef.meta?.align}
        >
          <FlexRender cell={cell} />
        </div>
      ))}
    </div>
  );
}

// The table rebuilds its row objects whenever a page loads. A row's output depends only on its item and selection, so
// `row` itself is not compared.
export const GridRow = memo(
  GridRowView,
  (a, b) =>
    a.item === b.item &&
    a.rowIndex === b.rowIndex &&
    a.offset === b.offset &&
    a.selected === b.selected &&
    a.active === b.active &&
    a.attributes === b.attributes &&
    a.onOpen === b.onOpen,
) as typeof GridRowView;

interface PlaceholderRowProps {
  rowIndex: number;
  offset: number;
  columnCount: number;
}

export const PlaceholderRow = memo(function PlaceholderRow({
  rowIndex,
  offset,
  columnCount,
}: PlaceholderRowProps) {
  return (
    <div
      role="row"
      className="row"
      aria-rowindex={rowIndex}
      aria-busy="true"
      style={{ transform: `translateY(${offset}px)` }}
    >
      {Array.from({ length: columnCount }, (_, column) => (
        <div key={column} role="gridcell" className="cell">
          <span className="skeleton" />
        </div>
      ))}
    </div>
  );
});
