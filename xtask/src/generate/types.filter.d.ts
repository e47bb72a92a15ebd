
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
  /** The comparison. */
  operator: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
  /** The value to compare with. */
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

/** A filter for values between two bounds. */
export interface FilterRange<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** Both bounds are included. */
  operator: "between";
  /** The bounds. */
  value: readonly [low: Value, high: Value];
}

/** A filter that searches the field's text. */
export interface FilterText<Field extends string> {
  /** The field. */
  field: Field;
  /** Where the text must occur. */
  operator: "contains" | "not_contains" | "starts_with";
  /** The text to search for. Case and accents are ignored. */
  value: string;
}

/** A filter for fields with or without a value. */
export interface FilterPresence<Field extends string> {
  /** The field. */
  field: Field;
  /** Whether the field must have a value. */
  operator: "is_set" | "is_not_set";
  /** These operators take no value. */
  value?: null | undefined;
}

/**
 * A filter in the form of another upstream, sent unchanged. The contract does not specify the form
 * of a filter; an object with `field` and `operator` is checked as one of the workspace service.
 */
export interface ForeignFilter {
  /** Not present in other forms of filters. */
  field?: never;
  /** Not present in other forms of filters. */
  operator?: never;
  [name: string]: unknown;
}

/** A condition on leads or accounts. */
export type FilterSpec = LeadFilter | AccountFilter;
