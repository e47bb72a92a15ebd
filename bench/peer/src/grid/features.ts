import {
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ColumnDef, RowData } from "@tanstack/react-table";

interface ColumnMeta {
  /** A CSS grid track, e.g. `minmax(120px, 1fr)`. */
  width: string;
  align?: "end";
}

// Sorting and paging happen on the server, so no row models are registered.
export const gridFeatures = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

export type GridFeatures = typeof gridFeatures;
export type GridColumn<T extends RowData> = ColumnDef<GridFeatures, T, any>;
export const gridColumns = <T extends RowData>() => createColumnHelper<GridFeatures, T>();
