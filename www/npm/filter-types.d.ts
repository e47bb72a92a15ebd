// Filters for each kind of field. types.d.ts builds the filters of leads and of accounts from them.

/** A condition on a field with a text. */
export type TextFilter<Field extends string, Value extends string = string> =
  | TokenFilter<Field, Value>
  | FilterText<Field>;

/** A condition on a field with an id or a known word. */
export type TokenFilter<Field extends string, Value extends string = string> =
  | FilterEquality<Field, Value>
  | FilterMembers<Field, Value>
  | FilterPresence<Field>;

/** A condition on a field with a time: ISO 8601, or a `Date`. */
export type TimeFilter<Field extends string> =
  | FilterEquality<Field, string | Date>
  | FilterOrder<Field, string | Date>
  | FilterRange<Field, string | Date>
  | FilterPresence<Field>;

/** A condition on a field with a number. */
export type NumberFilter<Field extends string> =
  | FilterEquality<Field, number>
  | FilterMembers<Field, number>
  | FilterOrder<Field, number>
  | FilterRange<Field, number>
  | FilterPresence<Field>;

/** A condition on a field with true or false. */
export type FlagFilter<Field extends string> = FilterEquality<Field, boolean> | FilterPresence<Field>;

/**
 * The name of a custom field: `custom_data.` with its key, a member of the leads' `custom_data`. Filters, sorts and facets of
 * the workspace service accept it; other servers may answer 422.
 */
export type CustomFieldName = `custom_data.${string}`;

/** A value that a custom field is compared with: also a text that is a plain number, an ISO 8601 date, `true` or `false`. */
export type CustomDataValue = string | number | boolean | Date;

/** A condition on a custom field. An operator of order needs bounds of the field's kind; see {@link CustomKind}. */
export type CustomDataFilter =
  | FilterEquality<CustomFieldName, CustomDataValue>
  | FilterMembers<CustomFieldName, CustomDataValue>
  | FilterOrder<CustomFieldName, CustomDataValue>
  | FilterRange<CustomFieldName, CustomDataValue>
  | FilterText<CustomFieldName>
  | FilterPresence<CustomFieldName>;

/**
 * Fields of leads that another upstream filters by, with the types of their values. Add them by declaration merging.
 * They may be filtered by a `string`, a `number`, a `boolean` or a `Date`.
 *
 * ```ts
 * declare module "lead-workspace" {
 *   interface CustomLeadFields {
 *     seniority: "junior" | "senior";
 *     years_in_role: number;
 *   }
 * }
 * ```
 */
export interface CustomLeadFields {}

/** Fields of accounts that another upstream filters by; see {@link CustomLeadFields}. */
export interface CustomAccountFields {}

/** A condition on one of the fields that were added. The type of its value decides which operators it has. */
export type CustomFilter<Fields> = {
  [Field in keyof Fields & string]: [Fields[Field]] extends [boolean]
    ? FlagFilter<Field>
    : [Fields[Field]] extends [number]
      ? NumberFilter<Field>
      : [Fields[Field]] extends [Date]
        ? TimeFilter<Field>
        : [Fields[Field]] extends [string]
          ? TextFilter<Field, Fields[Field]>
          : never;
}[keyof Fields & string];

/** A filter for one value. */
export interface FilterEquality<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** Whether the field must have the value, or must not. */
  operator: "eq" | "neq";
  /** The value to compare with. */
  value: Value;
}

/** A filter for values on one side of a bound. */
export interface FilterOrder<Field extends string, Value> {
  /** The field. */
  field: Field;
  /** The comparison. */
  operator: "gt" | "gte" | "lt" | "lte";
  /** The bound. */
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
