//! Response models: one declaration generates the struct, its serde impls and the list of its fields.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Visitor};
use serde_json::Value;

/// A field of a model, as listed in the contract's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSpec {
    /// The name on the wire.
    pub name: &'static str,
    /// The contract's name for the type.
    pub ty: String,
    /// The JSON Schema of the value.
    pub schema: Value,
    /// The text of its doc comment, with a newline after each line.
    pub doc: &'static str,
}

/// A response object that can list its fields.
pub trait Model {
    /// The name of the type.
    const NAME: &'static str;
    /// The text of its doc comment, with a newline after each line.
    const DOC: &'static str;

    /// Returns every field, in the contract's order.
    fn fields() -> Vec<FieldSpec>;
}

/// Declares response models.
///
/// Every field becomes an `Option`. Absent and null both read as `None`, which is written as null. `@aliased`
/// also reads one field under a second name, even if both are present; the first name wins. `@telling` adds
/// the field `problems`, which lists what could not be read.
macro_rules! model {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident {
            $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty,)*
        }
    )*) => {$(
        $crate::model::model!(@struct $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* });
        $crate::model::model!(@traits $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* });
        $crate::model::model!(@read $name { $($field)* });
        $crate::model::model!(@decode $name);
    )*};

    (@telling
        $(#[doc = $doc:literal])*
        $name:ident {
            $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty,)*
        }
    ) => {
        $crate::model::model!(@struct $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* }
            /// What could not be read and is missing from the other fields. Not on the wire.
            #[serde(skip)]
            pub problems: Vec<$crate::repair::Problem>,
        );
        $crate::model::model!(@traits $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* });
        $crate::model::model!(@read $name { $($field)* });

        impl $crate::wire::Decode for $name {
            fn decode(body: &[u8]) -> Result<Self, $crate::wire::DecodeError> {
                let (mut model, problems) = $crate::repair::read::<Self>($crate::wire::text(body)?)?;
                model.problems = problems;
                Ok(model)
            }
        }
    };

    (@aliased $(
        $(#[doc = $doc:literal])*
        $name:ident {
            $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty,)*
        }
        $target:ident = $alias:ident
    )*) => {$(
        $crate::model::model!(@struct $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* });
        $crate::model::model!(@traits $name [$($doc)*] { $([$($fdoc)*] $field: $ty,)* } $alias: String);
        $crate::model::model!(@read $name { $($field)* } $target = $alias);
        $crate::model::model!(@decode $name);
    )*};

    (@struct $name:ident [$($doc:literal)*] { $([$($fdoc:literal)*] $field:ident: $ty:ty,)* } $($more:tt)*) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[doc = $fdoc])* pub $field: Option<$ty>,)*
            $($more)*
        }
    };

    // Not derived: serde's derive would also accept an array of field values for the object, reject a
    // duplicate member (here the last one wins, as in JavaScript), and reject a field together with its
    // alias. It also keeps one variable per field and compiles to twice the code.
    (@read $name:ident { $($field:ident)* } $($target:ident = $alias:ident)?) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Arriving;

                impl<'de> serde::de::Visitor<'de> for Arriving {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("an object (", stringify!($name), ")"))
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$name, A::Error> {
                        #[allow(non_camel_case_types, reason = "named after the fields")]
                        enum Field { $($field,)* $($alias)? }
                        const NAMES: &[&str] = &[$(stringify!($field),)* $(stringify!($alias))?];

                        let mut model = $name::default();
                        $(let mut $alias = None;)?
                        let mut next = 0;
                        while let Some(place) = map.next_key_seed($crate::model::Key::of(NAMES, next))? {
                            next = place + 1;
                            match place {
                                $(place if place == Field::$field as usize => {
                                    model.$field = map.next_value()?;
                                })*
                                $(place if place == Field::$alias as usize => {
                                    $alias = map.next_value()?;
                                })?
                                _ => {
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                }
                            }
                        }
                        $(model.$target = model.$target.or($alias);)?
                        Ok(model)
                    }
                }

                deserializer.deserialize_map(Arriving)
            }
        }
    };

    (@decode $name:ident) => {
        impl $crate::wire::Decode for $name {
            fn decode(body: &[u8]) -> Result<Self, $crate::wire::DecodeError> {
                let (model, _) = $crate::repair::read($crate::wire::text(body)?)?;
                Ok(model)
            }
        }
    };

    (@traits $name:ident [$($doc:literal)*] { $([$($fdoc:literal)*] $field:ident: $ty:ty,)* } $($alias:ident: $alias_ty:ty)?) => {
        impl $crate::model::Model for $name {
            const NAME: &'static str = stringify!($name);
            const DOC: &'static str = concat!($($doc, "\n"),*);

            fn fields() -> Vec<$crate::model::FieldSpec> {
                vec![$($crate::model::FieldSpec {
                    name: stringify!($field),
                    ty: <$ty as $crate::wire::Wire>::name(),
                    schema: <$ty as $crate::wire::Wire>::schema(),
                    doc: concat!($($fdoc, "\n"),*),
                },)*]
            }
        }

        impl $crate::wire::Wire for $name {
            const KIND: $crate::kind::Kind = $crate::kind::Kind::Object(&[
                $((stringify!($field), <$ty as $crate::wire::Wire>::KIND),)*
                $((stringify!($alias), <$alias_ty as $crate::wire::Wire>::KIND),)?
            ]);

            fn name() -> String {
                stringify!($name).into()
            }

            fn schema() -> serde_json::Value {
                let mut properties = serde_json::Map::new();
                $(properties.insert(
                    stringify!($field).into(),
                    $crate::wire::described(
                        <Option<$ty> as $crate::wire::Wire>::schema(),
                        concat!($($fdoc, "\n"),*),
                    ),
                );)*
                serde_json::json!({"type": "object", "title": stringify!($name), "properties": properties})
            }
        }
    };
}

pub(crate) use model;

/// Finds the index of a key among a model's field names; the number of names if there is none.
pub(crate) struct Key {
    names: &'static [&'static str],
    next: usize,
}

impl Key {
    /// `next` is the index of the key if the fields arrive in order, as they mostly do.
    pub(crate) fn of(names: &'static [&'static str], next: usize) -> Self {
        Self { names, next }
    }

    fn place(&self, key: &str) -> usize {
        if self.names.get(self.next) == Some(&key) {
            return self.next;
        }
        let found = self.names.iter().position(|name| *name == key);
        found.unwrap_or(self.names.len())
    }
}

impl<'de> DeserializeSeed<'de> for Key {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<usize, E> {
        Ok(self.place(key))
    }
}
