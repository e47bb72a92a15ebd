//! Fields that the columns of an import can hold, and their usual headers.

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $name:literal [$($header:literal)*];)*) => {
        /// A field that a column can hold.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Field {
            $($(#[$doc])* $variant,)*
        }

        impl Field {
            /// Every field, in the order shown to users.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name that `--map` accepts.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the usual headers, normalized, most likely first.
            pub const fn headers(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => &[$($header,)*],)*
                }
            }
        }
    };
}

fields! {
    Name = "name" [
        "full name" "fullname" "name" "contact name" "lead name" "person name" "prospect name"
        "contact" "display name" "vollstandiger name" "nom complet" "nombre completo"
    ];
    FirstName = "first_name" [
        "first name" "firstname" "given name" "first" "person first name" "contact first name"
        "vorname" "prenom" "nombre" "voornaam" "nome"
    ];
    LastName = "last_name" [
        "last name" "lastname" "family name" "surname" "last" "person last name"
        "contact last name" "nachname" "familienname" "nom" "nom de famille" "apellido" "apellidos"
        "achternaam" "cognome"
    ];
    /// The line under the name on the profile.
    Headline = "headline" ["headline" "profile headline" "linkedin headline" "tagline" "bio"];
    /// Position at the company.
    Title = "title" [
        "title" "job title" "jobtitle" "position" "current title" "current position" "job position"
        "role" "current job title" "person title" "profile data title" "current account title"
        "occupation" "titel" "jobtitel" "titre" "intitule du poste" "puesto" "poste" "cargo" "stelle" "funktion" "berufsbezeichnung" "functie"
    ];
    /// Profile URL; leads are matched by it first.
    ProfileUrl = "profile_url" [
        "profile url" "person linkedin url" "linkedin profile url" "linkedin url" "linkedin profile"
        "linkedin" "profile link" "contact linkedin url" "lead linkedin url" "personal linkedin"
        "person linkedin" "linkedin link" "linkedin public url" "public profile url"
        "default profile url" "profile" "sales navigator url" "url" "network url" "xing"
        "xing url" "profil url" "profil" "linkedin profil" "linkedin member url"
    ];
    /// E-mail address; leads are matched by it if no profile matches.
    Email = "email" [
        "email" "email address" "e mail" "mail" "work email" "business email" "professional email"
        "primary email" "person email work" "e mail address" "email 1" "e mail 1 value"
        "contact email" "person email" "personal email" "person email home" "secondary email"
        "e mail adresse" "courriel" "correo electronico" "correo"
    ];
    /// Identifier in the source system.
    ProviderId = "provider_id" [
        "provider id" "profile id" "member id" "lead id" "contact id" "person id" "record id"
        "vmid" "external id" "id"
    ];
    Location = "location" [
        "location" "person location" "lead location" "contact location" "profile location"
        "geo location" "geography" "profile data location" "standort" "localisation" "ubicacion"
        "address" "mailing address"
    ];
    City = "city" [
        "city" "person city" "contact city" "mailing city" "town" "stadt" "ort" "ville" "ciudad"
        "stad"
    ];
    State = "state" [
        "state" "region" "state region" "person state" "contact state" "mailing state" "province"
        "mailing state province" "bundesland" "provincia"
    ];
    Country = "country" [
        "country" "person country" "contact country" "mailing country" "country region" "land"
        "pays" "pais"
    ];
    Company = "company" [
        "company" "company name" "current company" "organization" "organisation" "account name"
        "account" "employer" "organization name" "organisation name" "current company name"
        "companyname" "associated company" "primary company" "business name"
        "current account name" "firma" "unternehmen" "entreprise" "societe" "empresa" "bedrijf"
        "azienda"
    ];
    /// Page of the company on the professional network.
    CompanyUrl = "company_url" [
        "company linkedin url" "company profile url" "company url" "company linkedin"
        "organization linkedin url" "company network url" "linkedin company url"
        "linkedin company page" "company linkedin profile" "account linkedin url"
        "current account network url" "company profile" "company page"
        "company linkedin link" "regular company url"
    ];
    CompanyWebsite = "company_website" [
        "company website" "website" "company domain" "domain" "company site" "web site"
        "website url" "organization website" "account website" "company web" "company domain name"
        "organization domain" "webseite" "site web" "sitio web" "homepage"
    ];
    /// Number of employees, or a range.
    CompanySize = "company_size" [
        "company size" "employees" "number of employees" "employee count" "company employees"
        "staff count range" "company headcount" "headcount" "company employee count"
        "company staff count" "num employees" "nb employees" "no of employees" "employee range"
        "company employee range" "current account staff count range" "organization size"
        "company staff count range" "mitarbeiter" "mitarbeiterzahl" "unternehmensgrosse"
        "effectif" "empleados" "size"
    ];
    CompanyIndustry = "industry" [
        "company industry" "industry" "organization industry" "account industry" "sector"
        "company sector" "industries" "current account industry" "branche" "secteur"
        "secteur d activite" "sector industrial"
    ];
    CompanyLocation = "company_location" [
        "company location" "company address" "company headquarters" "headquarters" "hq location"
        "company hq" "organization location" "account location" "current account location" "hq"
    ];
    CompanyCity = "company_city" [
        "company city" "organization city" "account city" "billing city" "hq city"
    ];
    CompanyState = "company_state" [
        "company state" "company region" "organization state" "billing state"
        "billing state province" "hq state"
    ];
    CompanyCountry = "company_country" [
        "company country" "organization country" "account country" "billing country" "hq country"
    ];
    CompanyFounded = "company_founded_year" [
        "company founded year" "founded year" "founded" "year founded" "company founded"
        "company year founded" "founding year" "company founded on" "current account founded year"
        "grundungsjahr"
    ];
    CompanyTagline = "company_tagline" [
        "company tagline" "company slogan" "slogan" "company headline" "current account tagline"
    ];
    CompanyDescription = "company_description" [
        "company description" "about company" "company summary" "company about"
        "short description" "seo description" "organization description"
        "current account description"
    ];
    CompanyLogo = "company_logo_url" [
        "company logo url" "company logo" "logo url" "logo" "company picture url"
        "current account logo url"
    ];
    Connections = "connections_count" [
        "connections" "connections count" "number of connections" "connection count"
        "num connections" "profile data connections count"
    ];
    Followers = "follower_count" [
        "followers" "follower count" "followers count" "number of followers" "num followers"
        "profile data follower count"
    ];
    /// Whether the profile has a paid subscription.
    Premium = "is_premium" ["premium" "is premium" "premium account" "linkedin premium"];
    Picture = "profile_picture_url" [
        "profile picture url" "picture url" "profile image url" "photo url" "avatar url" "picture"
        "photo" "image url" "profile picture" "profile photo" "avatar" "img url" "profile pic url"
    ];
    Background = "background_image_url" ["background image url" "background image" "cover image"];
    /// The "about" text of the profile.
    Summary = "summary" ["summary" "about" "profile summary" "linkedin summary" "description"];
    /// Lists that the lead is put on, separated by `;`, `|`, a newline or `,`.
    Lists = "lists" ["lists" "list" "list name" "tags" "tag" "labels" "groups" "segments" "listen"];
    /// Campaign that the lead is put into.
    Campaign = "campaign" ["campaign" "campaign name" "sequence" "sequence name" "kampagne"];
    /// The decision on the lead.
    Status = "approval_status" [
        "approval status" "status" "review status" "decision" "lead status" "approved"
    ];
    CreatedAt = "created_at" [
        "created at" "created" "create date" "created date" "date added" "added at" "created on"
        "date created" "added on" "erstellt am" "creation date"
    ];
    /// IANA name of the lead's time zone.
    Timezone = "timezone" ["timezone" "time zone" "resolved timezone" "tz" "zeitzone"];
}

impl Field {
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }
}
