//! Industries, with words for their companies, products and customers, so that the name, tagline
//! and description of a company match.

/// Usual size of the companies in an industry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Small,
    Middle,
    Large,
}

impl Scale {
    /// Returns the weights of the usual size ranges, smallest first.
    pub(crate) const fn weights(self) -> [u32; 9] {
        match self {
            Self::Small => [4, 24, 34, 22, 9, 4, 2, 1, 0],
            Self::Middle => [1, 10, 26, 30, 16, 8, 6, 2, 1],
            Self::Large => [0, 4, 12, 22, 20, 15, 16, 6, 5],
        }
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Industry {
    pub name: &'static str,
    pub scale: Scale,
    pub weight: u32,
    /// Earliest founding year of its companies.
    pub oldest: i64,
    /// Second words of company names.
    pub nouns: &'static [&'static str],
    /// What a description calls its companies.
    pub kind: &'static str,
    pub offers: &'static [&'static str],
    pub audiences: &'static [&'static str],
    /// Topics of headlines.
    pub topics: &'static [&'static str],
}

use Scale::{Large, Middle, Small};

macro_rules! industries {
    ($($name:literal $scale:ident $weight:literal since $oldest:literal [$($noun:literal)*] $kind:literal
        offers [$($offer:literal)*] to [$($audience:literal)*] topics [$($topic:literal)*];)*) => {
        &[$(Industry {
            name: $name,
            scale: $scale,
            weight: $weight,
            oldest: $oldest,
            nouns: &[$($noun),*],
            kind: $kind,
            offers: &[$($offer),*],
            audiences: &[$($audience),*],
            topics: &[$($topic),*],
        },)*]
    };
}

pub(crate) const INDUSTRIES: &[Industry] = industries! {
    "Software Development" Middle 150 since 1984 ["Software" "Labs" "Systems" "Cloud" "Works" "Stack"] "software company"
        offers ["pipeline analytics" "contract automation" "workflow software" "billing software" "a product feedback platform" "release tooling"]
        to ["mid-market sales teams" "revenue leaders" "growing software teams" "operations teams" "finance departments"]
        topics ["SaaS" "product-led growth" "B2B software" "platform teams"];
    "IT Services and IT Consulting" Middle 110 since 1978 ["Consulting" "Digital" "Technologies" "Solutions" "IT"] "IT consultancy"
        offers ["cloud migration" "managed services" "ERP integration" "data platform projects" "application maintenance"]
        to ["public utilities" "mid-sized manufacturers" "insurance groups" "hospital networks" "retail chains"]
        topics ["cloud" "digital transformation" "ERP" "DevOps"];
    "Technology, Information and Internet" Middle 80 since 1996 ["Online" "Marketplace" "Data" "Networks" "Digital"] "internet company"
        offers ["a marketplace for spare parts" "price comparison" "a booking platform" "address data" "an identity check"]
        to ["workshops" "independent hotels" "online shops" "property managers"]
        topics ["marketplaces" "growth" "e-commerce" "data products"];
    "Computer and Network Security" Middle 40 since 1994 ["Security" "Shield" "Defence" "Secure"] "security company"
        offers ["endpoint monitoring" "penetration tests" "access reviews" "phishing drills" "incident response"]
        to ["banks" "energy suppliers" "municipalities" "software companies"]
        topics ["zero trust" "security culture" "compliance" "incident response"];
    "Financial Services" Large 70 since 1898 ["Capital" "Finance" "Payments" "Leasing" "Ledger"] "financial services provider"
        offers ["invoice financing" "card issuing" "equipment leasing" "treasury services" "expense cards"]
        to ["small businesses" "exporters" "fleet operators" "online shops"]
        topics ["embedded finance" "payments" "risk" "fintech"];
    "Banking" Large 24 since 1898 ["Bank" "Savings Bank" "Trust Bank"] "regional bank"
        offers ["business accounts" "trade finance" "property loans" "savings plans"]
        to ["family businesses" "farmers" "home owners" "local craftspeople"]
        topics ["retail banking" "corporate lending" "digital branches"];
    "Insurance" Large 30 since 1898 ["Insurance" "Mutual" "Assurance" "Cover"] "insurance company"
        offers ["liability cover" "fleet insurance" "cyber insurance" "crop insurance"]
        to ["tradespeople" "logistics companies" "clinics" "growers"]
        topics ["claims automation" "underwriting" "insurtech"];
    "Business Consulting and Services" Small 70 since 1898 ["Advisory" "Partners" "Consulting" "Group"] "consultancy"
        offers ["pricing strategy" "post-merger integration" "interim management" "sales training" "procurement advice"]
        to ["owner-led companies" "private equity firms" "industrial groups" "professional services firms"]
        topics ["strategy" "change" "go-to-market" "pricing"];
    "Advertising Services" Small 50 since 1962 ["Media" "Studio" "Agency" "Creative"] "agency"
        offers ["performance campaigns" "brand strategy" "podcast advertising" "out-of-home campaigns"]
        to ["consumer brands" "travel companies" "software companies" "retailers"]
        topics ["performance marketing" "brand" "paid social" "creative strategy"];
    "Staffing and Recruiting" Small 36 since 1898 ["Talent" "People" "Staffing" "Search"] "recruiting firm"
        offers ["executive search" "contract engineers" "nursing shifts" "warehouse staffing"]
        to ["scale-ups" "hospitals" "logistics centres" "engineering offices"]
        topics ["hiring" "employer branding" "executive search"];
    "Telecommunications" Large 28 since 1958 ["Telecom" "Networks" "Mobile" "Fibre"] "telecommunications provider"
        offers ["fibre connections" "private networks" "business telephony" "tower sharing"]
        to ["rural towns" "factories" "office parks" "call centres"]
        topics ["5G" "fibre" "IoT connectivity"];
    "E-Learning Providers" Small 26 since 1998 ["Learning" "Academy" "Campus"] "learning company"
        offers ["compliance courses" "language classes" "onboarding paths" "safety training"]
        to ["retail chains" "hospitals" "manufacturers" "international teams"]
        topics ["learning and development" "skills" "onboarding"];
    "Industrial Machinery Manufacturing" Large 50 since 1898 ["Maschinenbau" "Machines" "Engineering" "Industries"] "machine builder"
        offers ["packaging machines" "laser cutters" "conveyor systems" "spare parts service"]
        to ["food producers" "car suppliers" "printing houses" "sawmills"]
        topics ["automation" "Industry 4.0" "lean production"];
    "Automation Machinery Manufacturing" Middle 24 since 1972 ["Robotics" "Automation" "Motion"] "robotics company"
        offers ["picking robots" "vision systems" "machine controls" "test benches"]
        to ["warehouses" "electronics makers" "pharmacies" "assembly plants"]
        topics ["robotics" "computer vision" "automation"];
    "Motor Vehicle Manufacturing" Large 24 since 1898 ["Automotive" "Mobility" "Vehicles"] "vehicle maker"
        offers ["electric vans" "axle systems" "charging hardware" "fleet conversions"]
        to ["city fleets" "bus operators" "parcel services"]
        topics ["e-mobility" "supply chain" "fleet electrification"];
    "Transportation, Logistics, Supply Chain and Storage" Large 44 since 1898 ["Logistics" "Freight" "Logistik" "Transport"] "logistics company"
        offers ["cold storage" "customs handling" "last-mile delivery" "freight forwarding"]
        to ["grocers" "importers" "online shops" "chemical companies"]
        topics ["supply chain" "last mile" "freight tech"];
    "Retail" Large 36 since 1898 ["Retail" "Stores" "Market" "Trading"] "retailer"
        offers ["garden supplies" "outdoor clothing" "school supplies" "refurbished phones"]
        to ["families" "hobby gardeners" "hikers" "students"]
        topics ["omnichannel" "merchandising" "customer loyalty"];
    "Hospitals and Health Care" Large 34 since 1898 ["Clinics" "Health" "Care"] "care provider"
        offers ["day clinics" "home care" "telemedicine" "rehabilitation programmes"]
        to ["patients" "insurers" "rural communities"]
        topics ["digital health" "patient experience" "care quality"];
    "Medical Equipment Manufacturing" Middle 26 since 1898 ["Medical" "Medtech" "Diagnostics"] "maker of medical equipment"
        offers ["infusion pumps" "hearing aids" "lab analysers" "surgical lamps"]
        to ["hospitals" "laboratories" "doctors' practices"]
        topics ["medtech" "regulatory affairs" "clinical evidence"];
    "Biotechnology Research" Small 22 since 1982 ["Biotech" "Bio" "Genomics"] "biotechnology company"
        offers ["cell culture media" "sequencing services" "enzyme design" "protein assays"]
        to ["pharmaceutical companies" "universities" "food producers"]
        topics ["biotech" "lab automation" "translational research"];
    "Renewable Energy Semiconductor Manufacturing" Middle 22 since 1989 ["Energy" "Solar" "Power"] "energy company"
        offers ["rooftop solar" "battery storage" "inverters" "heat pumps"]
        to ["housing associations" "farms" "logistics centres"]
        topics ["energy transition" "storage" "heat pumps"];
    "Construction" Middle 26 since 1898 ["Bau" "Construction" "Build"] "construction company"
        offers ["timber buildings" "bridge repair" "modular offices" "site surveying"]
        to ["cities" "developers" "schools"]
        topics ["BIM" "sustainable building" "site safety"];
    "Food and Beverage Manufacturing" Large 22 since 1898 ["Foods" "Brewing" "Mills"] "food producer"
        offers ["oat drinks" "frozen pastries" "spice blends" "craft lemonades"]
        to ["supermarkets" "bakeries" "canteens"]
        topics ["food innovation" "supply chain" "private label"];
    "Book and Periodical Publishing" Small 14 since 1898 ["Press" "Verlag" "Publishing"] "publisher"
        offers ["trade magazines" "textbooks" "audio books" "travel guides"]
        to ["engineers" "teachers" "commuters"]
        topics ["digital publishing" "audience growth" "subscriptions"];
    "Hospitality" Middle 16 since 1898 ["Hotels" "Resorts" "Hospitality"] "hotel group"
        offers ["conference hotels" "long-stay apartments" "spa weekends"]
        to ["business travellers" "event planners" "families"]
        topics ["guest experience" "revenue management" "events"];
    "Non-profit Organizations" Small 14 since 1898 ["Foundation" "Trust" "Initiative"] "non-profit organisation"
        offers ["reading programmes" "river clean-ups" "mentoring" "food banks"]
        to ["schools" "river communities" "young people"]
        topics ["social impact" "fundraising" "volunteering"];
    "Government Administration" Large 10 since 1898 ["Agency" "Office" "Authority"] "public authority"
        offers ["digital permits" "regional planning" "transport planning"]
        to ["citizens" "municipalities" "local businesses"]
        topics ["digital government" "procurement" "open data"];
};
