//! Job titles by department and level.

/// A department with its titles and skills.
pub(crate) struct Department {
    pub weight: u32,
    /// C-level titles.
    pub chief: &'static [&'static str],
    /// The name in "VP of …", "Director of …", "Head of …".
    pub names: &'static [&'static str],
    /// Titles of staff without leadership duties.
    pub roles: &'static [&'static str],
    pub skills: &'static [&'static str],
    /// German titles: head of the department, and a role.
    pub german: (&'static str, &'static str),
    /// The same in French.
    pub french: (&'static str, &'static str),
}

/// Levels of seniority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Seniority {
    Founder,
    Chief,
    VicePresident,
    Director,
    Manager,
    Senior,
    Specialist,
    Junior,
}

impl Seniority {
    pub(crate) const ALL: [Self; 8] = [
        Self::Founder,
        Self::Chief,
        Self::VicePresident,
        Self::Director,
        Self::Manager,
        Self::Senior,
        Self::Specialist,
        Self::Junior,
    ];

    /// Returns how often each level occurs, by the lower bound of the company's size range.
    /// Prospecting finds more leaders than their share in a company.
    pub(crate) const fn weights(heads: i64) -> [u32; 8] {
        match heads {
            ..=10 => [48, 12, 2, 10, 10, 8, 8, 2],
            11..=50 => [22, 16, 8, 20, 16, 9, 7, 2],
            51..=200 => [7, 13, 14, 27, 20, 10, 7, 2],
            201..=1000 => [1, 8, 16, 30, 25, 11, 7, 2],
            _ => [0, 3, 14, 31, 29, 13, 8, 2],
        }
    }
}

pub(crate) const FOUNDERS: &[&str] = &[
    "Founder & CEO",
    "Co-Founder & CEO",
    "Founder",
    "Managing Director",
    "CEO",
    "Owner",
    "Co-Founder & CTO",
    "Managing Partner",
];
pub(crate) const FOUNDERS_GERMAN: &[&str] =
    &["Geschäftsführer", "Gründer & Geschäftsführer", "Inhaber"];
pub(crate) const FOUNDERS_GERMAN_WOMEN: &[&str] = &[
    "Geschäftsführerin",
    "Gründerin & Geschäftsführerin",
    "Inhaberin",
];
pub(crate) const REGIONS: &[&str] = &[
    "EMEA",
    "DACH",
    "Nordics",
    "North America",
    "UK & Ireland",
    "APAC",
    "Benelux",
];

pub(crate) const DEPARTMENTS: &[Department] = &[
    Department {
        weight: 30,
        chief: &[
            "Chief Revenue Officer",
            "Chief Sales Officer",
            "Chief Commercial Officer",
            "CRO",
        ],
        names: &[
            "Sales",
            "Business Development",
            "Enterprise Sales",
            "Partnerships",
            "Revenue",
        ],
        roles: &[
            "Account Executive",
            "Account Manager",
            "Sales Development Representative",
            "Business Development Manager",
            "Key Account Manager",
        ],
        skills: &[
            "Negotiation",
            "Pipeline management",
            "Enterprise sales",
            "Forecasting",
            "Discovery calls",
        ],
        german: ("Leitung Vertrieb", "Key Account Manager Vertrieb"),
        french: ("Responsable commercial", "Ingénieur commercial"),
    },
    Department {
        weight: 20,
        chief: &["Chief Marketing Officer", "CMO", "Chief Growth Officer"],
        names: &[
            "Marketing",
            "Demand Generation",
            "Growth",
            "Brand",
            "Product Marketing",
        ],
        roles: &[
            "Marketing Specialist",
            "Content Strategist",
            "Campaign Manager",
            "SEO Specialist",
            "Product Marketer",
        ],
        skills: &[
            "Content strategy",
            "Marketing automation",
            "Positioning",
            "SEO",
            "Events",
        ],
        german: ("Leitung Marketing", "Referent Marketing"),
        french: ("Responsable marketing", "Chargé de marketing"),
    },
    Department {
        weight: 10,
        chief: &["Chief Operating Officer", "COO"],
        names: &[
            "Operations",
            "Revenue Operations",
            "Sales Operations",
            "Supply Chain",
            "Procurement",
        ],
        roles: &[
            "Operations Analyst",
            "Revenue Operations Specialist",
            "Buyer",
            "Supply Chain Planner",
            "Project Manager",
        ],
        skills: &[
            "Process design",
            "CRM administration",
            "Planning",
            "Negotiation",
            "Reporting",
        ],
        german: ("Leitung Einkauf", "Disponent Logistics"),
        french: ("Responsable des opérations", "Acheteur"),
    },
    Department {
        weight: 8,
        chief: &["Chief Customer Officer"],
        names: &[
            "Customer Success",
            "Customer Support",
            "Customer Experience",
        ],
        roles: &[
            "Customer Success Manager",
            "Support Engineer",
            "Onboarding Specialist",
        ],
        skills: &["Onboarding", "Retention", "Customer interviews", "Renewals"],
        german: ("Leitung Kundenservice", "Kundenberater"),
        french: ("Responsable support", "Conseiller support"),
    },
    Department {
        weight: 16,
        chief: &[
            "Chief Technology Officer",
            "CTO",
            "Chief Information Officer",
            "CIO",
        ],
        names: &[
            "Engineering",
            "IT",
            "Software Development",
            "Data",
            "Platform Engineering",
        ],
        roles: &[
            "Software Engineer",
            "Data Engineer",
            "Systems Administrator",
            "Solutions Architect",
            "DevOps Engineer",
        ],
        skills: &[
            "Rust",
            "Cloud architecture",
            "Data modelling",
            "Incident response",
            "Mentoring",
        ],
        german: ("Leitung IT", "IT-Systemadministrator"),
        french: ("Responsable informatique", "Ingénieur software"),
    },
    Department {
        weight: 7,
        chief: &["Chief Product Officer"],
        names: &["Product", "Product Management", "Product Design"],
        roles: &[
            "Product Manager",
            "Product Owner",
            "UX Researcher",
            "Product Designer",
        ],
        skills: &["Roadmaps", "User research", "Prototyping", "Pricing"],
        german: ("Leitung Produkt", "Product Owner"),
        french: ("Responsable produit", "Chef de produit"),
    },
    Department {
        weight: 7,
        chief: &["Chief Financial Officer", "CFO"],
        names: &["Finance", "Controlling", "Accounting"],
        roles: &["Financial Analyst", "Controller", "Accountant"],
        skills: &["Budgeting", "Reporting", "Audit", "Cash flow"],
        german: ("Leitung Finanzen", "Controller"),
        french: ("Responsable finance", "Contrôleur de gestion finance"),
    },
    Department {
        weight: 6,
        chief: &["Chief People Officer", "CHRO"],
        names: &["People", "Talent Acquisition", "Human Resources"],
        roles: &[
            "Recruiter",
            "HR Business Partner",
            "People Operations Specialist",
        ],
        skills: &["Recruiting", "Compensation", "Coaching", "Labour law"],
        german: ("Leitung Personal", "Recruiter"),
        french: ("Responsable people", "Recruteur talent"),
    },
    Department {
        weight: 2,
        chief: &["General Counsel"],
        names: &["Legal", "Compliance"],
        roles: &["Legal Counsel", "Compliance Specialist"],
        skills: &["Contract law", "Data protection", "Negotiation"],
        german: ("Leitung Recht", "Legal Counsel"),
        french: ("Responsable juridique", "Juriste compliance"),
    },
];
