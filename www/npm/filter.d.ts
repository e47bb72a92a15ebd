// Builds the filters of a query.

import type {
  AccountFlagField,
  AccountNumberField,
  AccountTextField,
  AccountTimeField,
  AccountTokenField,
  CustomAccountFields,
  CustomDataValue,
  CustomFieldName,
  CustomLeadFields,
  FilterEquality,
  FilterMembers,
  FilterOrder,
  FilterPresence,
  FilterRange,
  FilterText,
  LeadFlagField,
  LeadNumberField,
  LeadTextField,
  LeadTimeField,
  LeadTokenField,
} from "./types.js";

/** A field by which leads or accounts can be filtered. */
export type FilterField = KnownField | (keyof CustomFields & string);

type CustomFields = CustomLeadFields & CustomAccountFields;
type TextField = LeadTextField | AccountTextField;
type TokenField = LeadTokenField | AccountTokenField;
type TimeField = LeadTimeField | AccountTimeField;
type NumberField = LeadNumberField | AccountNumberField;
type FlagField = LeadFlagField | AccountFlagField;
type KnownField = TextField | TokenField | TimeField | NumberField | FlagField;

// Without this, all declarations of the file would be exported.
export {};

/**
 * Starts a filter on a field. The methods of the result are the operators that make sense for the field, and return a
 * filter for the `filters` of a query.
 *
 * @example
 * const page = await ws.queryLeads({
 *   filters: [filter("icp_tier").isIn(["A", "B"]), filter("icp_score").gte(70), filter("reply").isNotSet()],
 * });
 */
export function filter<Field extends FilterField>(field: Field): FilterOn<Field>;

export namespace filter {
  /**
   * Starts a filter on a custom field, by its key: a member of the leads' `custom_data`. Only the workspace service has it;
   * other servers answer 422. A text that is a plain number, an ISO 8601 date, `true` or `false` compares as such.
   *
   * @throws {@link ValidationError} from the query, if an operator of order has a bound of another kind than the values
   * of the field; the message names one of them.
   *
   * @example
   * const page = await ws.queryLeads({
   *   filters: [filter.custom("Deal size").gte(50000), filter.custom("Segment").isIn(["Retail", "Food"])],
   *   sort_by: "custom_data.Deal size",
   * });
   */
  function custom(key: string): FilterOnCustomData;
}

/** A filter on a field, still without an operator. */
export type FilterOn<Field extends FilterField> = Field extends TextField
  ? FilterOnText<Field>
  : Field extends TokenField
    ? FilterOnToken<Field>
    : Field extends TimeField
      ? FilterOnTime<Field>
      : Field extends NumberField
        ? FilterOnNumber<Field>
        : Field extends FlagField
          ? FilterOnFlag<Field>
          : Field extends keyof CustomFields & string
            ? FilterOnCustom<Field, CustomFields[Field]>
            : never;

type FilterOnCustom<Field extends string, Value> = [Value] extends [boolean]
  ? FilterOnFlag<Field>
  : [Value] extends [number]
    ? FilterOnNumber<Field>
    : [Value] extends [Date]
      ? FilterOnTime<Field>
      : [Value] extends [string]
        ? FilterOnText<Field, Value>
        : never;

/** A filter on a custom field. */
export interface FilterOnCustomData
  extends OnEquality<CustomFieldName, CustomDataValue>,
    OnMembers<CustomFieldName, CustomDataValue>,
    OnOrder<CustomFieldName, CustomDataValue>,
    OnText<CustomFieldName> {}

interface OnEquality<Field extends string, Value> {
  /** Equal to the value. */
  eq(value: Value): FilterEquality<Field, Value>;
  /** Not equal to the value. */
  neq(value: Value): FilterEquality<Field, Value>;
  /** Has a value. */
  isSet(): FilterPresence<Field>;
  /** Has no value. */
  isNotSet(): FilterPresence<Field>;
}

interface OnMembers<Field extends string, Value> {
  /** Equal to one of the values. */
  isIn(values: readonly Value[] | ReadonlySet<Value>): FilterMembers<Field, Value>;
  /** Equal to none of the values. */
  notIn(values: readonly Value[] | ReadonlySet<Value>): FilterMembers<Field, Value>;
}

interface OnOrder<Field extends string, Value> {
  /** Greater than the value. */
  gt(value: Value): FilterOrder<Field, Value>;
  /** Greater than or equal to the value. */
  gte(value: Value): FilterOrder<Field, Value>;
  /** Less than the value. */
  lt(value: Value): FilterOrder<Field, Value>;
  /** Less than or equal to the value. */
  lte(value: Value): FilterOrder<Field, Value>;
  /** Between the bounds, both inclusive. */
  between(low: Value, high: Value): FilterRange<Field, Value>;
}

/** A filter on a field with true or false. */
export interface FilterOnFlag<Field extends string> extends OnEquality<Field, boolean> {}

/** A filter on a field with a number. */
export interface FilterOnNumber<Field extends string>
  extends OnEquality<Field, number>,
    OnMembers<Field, number>,
    OnOrder<Field, number> {}

/** A filter on a field with a time: ISO 8601, or a `Date`. A date alone means the whole day. */
export interface FilterOnTime<Field extends string>
  extends OnEquality<Field, string | Date>,
    OnOrder<Field, string | Date> {}

/** A filter on a field with an id or a known word, which is compared to the letter. */
export interface FilterOnToken<Field extends string, Value extends string = string>
  extends OnEquality<Field, Value>,
    OnMembers<Field, Value> {}

/** A filter on a field with a text. Case and accents do not matter. */
export interface FilterOnText<Field extends string, Value extends string = string>
  extends FilterOnToken<Field, Value>,
    OnText<Field> {}

interface OnText<Field extends string> {
  /** Contains the text. */
  contains(text: string): FilterText<Field>;
  /** Does not contain the text. */
  notContains(text: string): FilterText<Field>;
  /** Starts with the text. */
  startsWith(text: string): FilterText<Field>;
}
