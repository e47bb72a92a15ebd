//! Response models: one declaration gives the struct, its serde impls and the list of its fields.

use serde_json::Value;

/// A field of a model, as the contract's tables list it.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSpec {
    /// The name on the wire.
    pub name: &'static str,
    /// The contract's word for the type.
    pub ty: String,
    /// The JSON Schema of the value.
    pub schema: Value,
}

/// A response object that can list its fields.
pub trait Model {
    /// The name of the type.
    const NAME: &'static str;

    /// Every field, in the contract's order.
    fn fields() -> Vec<FieldSpec>;
}

/// Declares response models. Every field becomes an `Option` that reads absent and null alike, and
/// is written as null where it is not set. `name: Type = "alias"` also reads the field under a
/// second name, even when both stand in one object; the first name wins.
macro_rules! model {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$fdoc:meta])* $field:ident: $ty:ty $(= $alias:ident)?,)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $($(#[$fdoc])* pub $field: Option<$ty>,)*
        }

        $crate::model::model!(@traits $name { $($field: $ty,)* });
    )*};

    (@aliased $(
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$fdoc:meta])* $field:ident: $ty:ty,)*
        }
        $target:ident = $alias:ident
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct $name {
            $($(#[$fdoc])* pub $field: Option<$ty>,)*
        }

        // serde's own `alias` refuses an object that has both names.
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(serde::Deserialize)]
                struct Arrived {
                    $($field: Option<$ty>,)*
                    $alias: Option<String>,
                }
                let arrived = Arrived::deserialize(deserializer)?;
                let mut model = $name { $($field: arrived.$field,)* };
                model.$target = model.$target.or(arrived.$alias);
                Ok(model)
            }
        }

        $crate::model::model!(@traits $name { $($field: $ty,)* });
    )*};

    (@traits $name:ident { $($field:ident: $ty:ty,)* }) => {
        impl $crate::model::Model for $name {
            const NAME: &'static str = stringify!($name);

            fn fields() -> Vec<$crate::model::FieldSpec> {
                vec![$($crate::model::FieldSpec {
                    name: stringify!($field),
                    ty: <$ty as $crate::wire::Wire>::name(),
                    schema: <$ty as $crate::wire::Wire>::schema(),
                },)*]
            }
        }

        impl $crate::wire::Wire for $name {
            fn name() -> String {
                stringify!($name).into()
            }

            fn schema() -> serde_json::Value {
                let mut properties = serde_json::Map::new();
                $(properties.insert(
                    stringify!($field).into(),
                    <Option<$ty> as $crate::wire::Wire>::schema(),
                );)*
                serde_json::json!({"type": "object", "title": stringify!($name), "properties": properties})
            }
        }

        impl $crate::wire::Decode for $name {
            fn decode(body: &[u8]) -> Result<Self, $crate::wire::DecodeError> {
                serde_json::from_str($crate::wire::text(body)?).map_err($crate::wire::DecodeError::new)
            }
        }
    };
}

pub(crate) use model;
