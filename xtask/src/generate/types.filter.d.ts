
/**
 * One condition on one field. The filters of a query must all hold.
 *
 * OPERATORS
 */
export type Filter<Field extends string, Value> =
  | FilterCompare<Field, Value>
  | FilterMembers<Field, Value>
  | FilterRange<Field, Value>
  | FilterText<Field>
  | FilterPresence<Field>;

/** A filter that compares with one value. */
export interface FilterCompare<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** How to compare. */
  operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
  /** What to compare with. */
  value: Value;
}

/** A filter that looks for the field's value in a list. */
export interface FilterMembers<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** Whether the value must be in the list. */
  operator: "in" | "not_in";
  /** The list. */
  value: readonly Value[];
}

/** A filter that asks for values between two bounds. */
export interface FilterRange<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** Both bounds are included. */
  operator: "between";
  /** The bounds. */
  value: readonly [low: Value, high: Value];
}

/** A filter that looks into the field's text. */
export interface FilterText<Field extends string> {
  /** The field. */
  field: Field;
  /** Where to look. */
  operator: "contains" | "not_contains" | "starts_with";
  /** The text; case and accents do not matter. */
  value: string;
}

/** A filter that asks whether the field has a value at all. */
export interface FilterPresence<Field extends string> {
  /** The field. */
  field: Field;
  /** Whether it must have one. */
  operator: "is_set" | "is_not_set";
  /** These operators take no value. */
  value?: null | undefined;
}

/**
 * A filter in the form of another upstream, sent as it is. The contract does not show the form of a
 * filter; what has a `field` and an `operator` is taken for ours and checked.
 */
export interface ForeignFilter {
  /** Not in a filter of another form. */
  field?: never;
  /** Not in a filter of another form. */
  operator?: never;
  [name: string]: unknown;
}

/** A condition on leads or accounts. */
export type FilterSpec = LeadFilter | AccountFilter;
