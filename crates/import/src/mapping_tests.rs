use lead_workspace_api::export::LEAD_COLUMNS;

use super::{ColumnUse, Field, FileError, Mapping, Override};

fn names(headers: &str) -> String {
    let headers: Vec<_> = headers.split(',').map(str::to_owned).collect();
    let mapping = Mapping::new(&headers, &[]).unwrap();
    let uses: Vec<_> = mapping.uses.iter().map(|to| to.name()).collect();
    uses.join(",")
}

#[test]
fn an_export_may_have_a_column_for_each_name_of_the_users_own_data() {
    let own = (0..1_100).map(|number| format!("own {number}"));
    let fixed = LEAD_COLUMNS.iter().map(|column| column.header.to_owned());
    let export: Vec<_> = fixed.chain(own.clone()).collect();
    assert!(Mapping::new(&export, &[]).is_ok());
    let other: Vec<_> = own.collect();
    let refused = Mapping::new(&other, &[]);
    assert!(matches!(
        refused,
        Err(FileError::TooManyColumns(1_100, 1_000))
    ));
}

#[test]
fn headers_of_common_exports_are_recognized() {
    let cases = [
        (
            "First Name,Last Name,Title,Company,Email,# Employees,Industry,Person Linkedin Url,Website,Company Linkedin Url,City,State,Country,Lists",
            "first_name,last_name,title,company,email,company_size,industry,profile_url,company_website,company_url,city,state,country,lists",
        ),
        (
            "profileUrl,fullName,firstName,lastName,companyName,title,companyUrl,summary,industry,companyLocation,location,profileImageUrl,isPremium",
            "profile_url,name,first_name,last_name,company,title,company_url,summary,industry,company_location,location,profile_picture_url,is_premium",
        ),
        (
            "First Name,Last Name,URL,Email Address,Company,Position,Connected On",
            "first_name,last_name,profile_url,email,company,title,custom",
        ),
        (
            "Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lead Status,Job Title,Company Name,Create Date",
            "provider_id,first_name,last_name,email,custom,custom,approval_status,title,company,created_at",
        ),
        (
            "Person - Name,Person - Email - Work,Organization - Name,Person - Phone",
            "name,email,company,custom",
        ),
        (
            "Vorname,Nachname,Firma,Position,Branche,Ort,Land",
            "first_name,last_name,company,title,industry,city,country",
        ),
        (
            "Prénom,Nom,Société,Poste,Ville,Pays",
            "first_name,last_name,company,title,city,country",
        ),
        (
            "FULL_NAME,JOB_TITLE,E-Mail,company_size",
            "name,title,email,company_size",
        ),
        (
            "Account Name,Mailing City,Created Date",
            "company,city,created_at",
        ),
    ];
    for (headers, expected) in cases {
        assert_eq!(names(headers), expected, "{headers}");
    }
}

#[test]
fn every_field_has_its_own_name_and_headers_are_unambiguous() {
    let mut seen = std::collections::HashMap::new();
    for field in Field::ALL {
        for header in field.headers() {
            assert_eq!(
                super::normalize_header(header),
                *header,
                "{header} is not normalized"
            );
            if let Some(other) = seen.insert(*header, *field) {
                panic!("{header:?} means {other:?} and {field:?}");
            }
        }
        let own = names(field.name());
        assert_eq!(own, field.name());
    }
}

#[test]
fn headers_are_made_unique_and_empty_ones_named() {
    let headers = ["Tag", "", "Tag", "Tag"].map(str::to_owned);
    let mapping = Mapping::new(&headers, &[]).unwrap();
    assert_eq!(mapping.headers, ["Tag", "Column 2", "Tag (2)", "Tag (3)"]);
    assert_eq!(mapping.columns(Field::Lists), [0]);
}

#[test]
fn the_best_matching_column_wins() {
    let headers = ["Personal Email", "URL", "Work Email", "LinkedIn URL"].map(str::to_owned);
    let mapping = Mapping::new(&headers, &[]).unwrap();
    assert_eq!(mapping.columns(Field::Email), [2, 0]);
    assert_eq!(mapping.columns(Field::ProfileUrl), [3, 1]);
    assert!(mapping.can_identify());
}

#[test]
fn overrides_take_precedence() {
    let headers = ["Who", "Email", "Notes"].map(str::to_owned);
    let overridden: Vec<Override> = ["who = name", "EMAIL=custom", "notes=skip"]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    let mapping = Mapping::new(&headers, &overridden).unwrap();
    assert_eq!(
        mapping.uses,
        [
            ColumnUse::Field(Field::Name),
            ColumnUse::Custom,
            ColumnUse::Skip
        ]
    );

    let error = Mapping::new(&headers, &["Nobody=name".parse().unwrap()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has no column \"Nobody\". Its columns are Who, Email, Notes. \
         Nothing was imported; correct --map"
    );
    let error = "Who=nickname".parse::<Override>().unwrap_err();
    assert!(
        error.starts_with("\"nickname\" is not a field. Use one of name, first_name,"),
        "{error}"
    );
    assert!("Who".parse::<Override>().is_err());
}

#[test]
fn columns_are_kept_under_their_own_names_or_others() {
    let headers = ["Name", "Deal", "a=b", "Notes"].map(str::to_owned);
    let keys = |overrides: &[&str]| {
        let overrides = overrides.iter().map(|text| text.parse().unwrap());
        let overrides: Vec<Override> = overrides.collect();
        Mapping::new(&headers, &overrides).map(|mapping| mapping.keys)
    };
    assert_eq!(keys(&[]).unwrap(), headers);
    let renamed = keys(&[
        "deal=custom_data.Deal size",
        "a=b=custom_data.c",
        "Notes=skip",
    ]);
    assert_eq!(renamed.unwrap(), ["Name", "Deal size", "c", "Notes"]);
    let swapped = keys(&["Deal=custom_data.Notes", "Notes=custom_data.Deal"]);
    assert_eq!(swapped.unwrap()[1..], ["Notes", "a=b", "Deal"]);
    // The name of a column that is not kept is free.
    keys(&["Deal=custom_data.Notes", "Notes=skip"]).unwrap();
    let error = keys(&["Deal=custom_data.Name"]).unwrap_err().to_string();
    assert!(
        error.starts_with("two columns would be kept as \"Name\""),
        "{error}"
    );
    let error = keys(&["Deal=custom_data.Notes"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two columns would be kept as \"Notes\". Choose another name for one of them, or skip it. Nothing was imported; \
         correct --map"
    );
    for text in [
        "Deal=custom_data.",
        &format!("Deal=custom_data.{}", "x".repeat(201)),
    ] {
        let error = text.parse::<Override>().unwrap_err();
        assert!(
            error.starts_with("the name of a custom field has 1 to 200 characters"),
            "{error}"
        );
    }
}

#[test]
fn duplicate_headers_are_numbered_without_collisions() {
    let headers = ["a", "a (2)", "a", "a", "a (2)"].map(str::to_owned);
    let mapping = Mapping::new(&headers, &[]).unwrap();
    assert_eq!(
        mapping.headers,
        ["a", "a (2)", "a (3)", "a (4)", "a (2) (2)"]
    );
}

#[test]
fn limits_on_columns_names_and_overrides_are_enforced() {
    let refused = |headers: &[String], overrides: &[Override]| {
        Mapping::new(headers, overrides).unwrap_err().to_string()
    };
    let most = vec!["a".to_owned(); 1000];
    let mapping = Mapping::new(&most, &[]).unwrap();
    assert_eq!(mapping.headers[999], "a (1000)");
    let error = refused(&vec!["a".to_owned(); 1001], &[]);
    assert!(
        error.starts_with("the file has 1001 columns; the limit is 1000"),
        "{error}"
    );

    let long = "ü".repeat(201);
    let error = refused(&["Name".into(), long.clone()], &[]);
    assert!(error.starts_with("the name of column 2 (\"üüü"), "{error}");
    assert!(
        error.contains("longer than 200 characters") && error.len() < 400,
        "{error}"
    );
    let error = format!("{long}=name").parse::<Override>().unwrap_err();
    assert!(
        error.contains("longer than 200 characters") && error.len() < 200,
        "{error}"
    );

    let overridden = vec!["a=skip".parse().unwrap(); 101];
    let error = refused(&most, &overridden);
    assert!(
        error.starts_with("101 columns are mapped with --map; the limit is 100"),
        "{error}"
    );
    // An error must not list a thousand columns either.
    let error = refused(&most, &["b=skip".parse().unwrap()]);
    assert!(error.contains("a (50) and 950 more"), "{error}");
}

#[test]
fn an_override_is_read_as_it_is_written() {
    for text in [
        "Who=name",
        "a=b=custom",
        "notes=skip",
        "Phone=custom_data.Mobile",
        "a=b=custom_data.c=d",
    ] {
        assert_eq!(text.parse::<Override>().unwrap().to_string(), text);
    }
}
