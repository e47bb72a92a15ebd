//! The default rules, for a company that sells software to the sales, marketing and revenue teams
//! of small and medium-sized companies in Europe and North America.

use super::rules::{
    Band, Group, Intents, Level, Matching, Rules, Sizes, Tiers, Titles, Weights, level_share,
    other, unknown,
};

const INDUSTRIES: &[(&str, f64, &str)] = &[
    (
        "a target industry",
        1.0,
        "software, saas, information technology, it services, it consulting, internet, computer, \
         network security, data infrastructure, fintech, technology",
    ),
    (
        "a related industry",
        0.75,
        "financial services, banking, insurance, consulting, advertising, marketing, staffing, \
         human resources, telecommunications, e learning, professional training, design, \
         market research, events",
    ),
    (
        "an industry on the edge",
        0.4,
        "manufacturing, automation, machinery, logistics, transportation, retail, medical, health, \
         hospitals, pharmaceutical, biotechnology, renewable, automotive, media, publishing, \
         real estate, construction, food, consumer goods, hospitality",
    ),
    (
        "an industry to avoid",
        0.05,
        "government, public administration, non profit, religious institutions, military, \
         primary and secondary education, gambling",
    ),
];

const BANDS: &[(u32, Option<u32>, f64)] = &[
    (1, Some(1), 0.1),
    (2, Some(10), 0.3),
    (11, Some(50), 0.6),
    (51, Some(200), 1.0),
    (201, Some(500), 1.0),
    (501, Some(1000), 0.75),
    (1001, Some(5000), 0.5),
    (5001, Some(10_000), 0.3),
    (10_001, None, 0.2),
];

const LEVELS: &[(&str, f64, &str)] = &[
    (
        "junior level",
        0.1,
        "assistant, assistant to the ceo, intern, trainee, junior, jr, student, working student, \
         werkstudent, apprentice, praktikant, praktikantin, stagiaire, becario, volunteer, retired",
    ),
    (
        "vice president level",
        0.95,
        "vice president, vp, svp, evp, avp, assistant vice president, senior vice president, \
         vicepresidente, vice presidente, prokurist, prokuristin",
    ),
    (
        "C-level",
        1.0,
        "ceo, cto, cfo, coo, cmo, cro, cio, cpo, ciso, cdo, cco, chro, chief, founder, cofounder, \
         owner, president, managing director, managing partner, geschaftsfuhrer, \
         geschaftsfuhrerin, geschaftsfuhrender, inhaber, inhaberin, vorstand, gerant, pdg, \
         directeur general, directrice generale, director general, amministratore delegato, \
         grunder, grunderin, fondateur, fondatrice, fundador, fundadora",
    ),
    (
        "director level",
        0.85,
        "director, head, directeur, directrice, directora, direktor, direktorin, direttore, \
         leiter, leiterin, abteilungsleiter, abteilungsleiterin, bereichsleiter, \
         bereichsleiterin, general manager, responsable, partner, principal consultant",
    ),
    (
        "manager level",
        0.5,
        "manager, managerin, lead, team lead, teamleiter, teamleiterin, supervisor, \
         product owner, assistant manager, assistant director, jefe, jefa, chef, coordinator, \
         principal",
    ),
    (
        "senior specialist level",
        0.35,
        "senior, sr, staff, expert, account executive, consultant, architect",
    ),
];

const DEPARTMENTS: &[(&str, f64, &str)] = &[
    (
        "revenue operations",
        1.0,
        "revenue operations, revops, sales operations, sales enablement, marketing operations",
    ),
    (
        "sales",
        1.0,
        "sales, vertrieb, ventas, ventes, vendite, commercial, commerciale, business development, \
         account executive, account manager, key account, revenue, partnerships, partner, cro, \
         cco, bdr, sdr, kundenberater",
    ),
    (
        "marketing",
        0.95,
        "marketing, growth, brand, demand generation, content, communications, seo, cmo, \
         kommunikation, comunicacion",
    ),
    (
        "customer success",
        0.6,
        "customer success, customer support, customer experience, customer, client services, support",
    ),
    (
        "product",
        0.5,
        "product, produkt, produit, producto, cpo, ux, design",
    ),
    (
        "engineering and IT",
        0.5,
        "engineering, engineer, developer, software, it, technology, technical, data, cto, cio, \
         ciso, cdo, devops, security, infrastructure, platform, entwicklung, informatik, systems, \
         technique",
    ),
    (
        "operations",
        0.45,
        "operations, coo, supply chain, logistics, procurement, purchasing, einkauf, produktion, \
         manufacturing, quality",
    ),
    (
        "finance",
        0.4,
        "finance, financial, cfo, accounting, accountant, controller, controlling, treasury, finanzen, \
         buchhaltung",
    ),
    (
        "people",
        0.35,
        "hr, human resources, people, talent, recruiting, recruiter, chro, personal",
    ),
    ("legal", 0.2, "legal, counsel, compliance, recht, juridique"),
];

const LOCATIONS: &[(&str, f64, &str)] = &[
    (
        "in a core market",
        1.0,
        "germany, deutschland, austria, osterreich, switzerland, schweiz, suisse, united kingdom, \
         england, scotland, wales, uk, ireland, netherlands, nederland, belgium, france, denmark, \
         sweden, norway, finland, united states, usa, us, canada, berlin, munich, hamburg, vienna, \
         zurich, london, dublin, amsterdam, paris, copenhagen, stockholm, new york, boston, \
         chicago, austin, seattle, san francisco, los angeles, toronto",
    ),
    (
        "in a secondary market",
        0.7,
        "spain, espana, portugal, italy, italia, poland, polska, czechia, czech republic, greece, \
         hungary, romania, estonia, latvia, lithuania, luxembourg, iceland, slovenia, croatia, \
         australia, new zealand, singapore, israel, japan, madrid, barcelona, lisbon, milan, \
         rome, warsaw, krakow, prague, sydney, melbourne, tokyo",
    ),
];

const EVENTS: &[(&str, f64)] = &[
    ("pricing_page_visit", 1.0),
    ("job_change", 0.8),
    ("hiring", 0.8),
    ("funding_round", 0.9),
    ("competitor_engagement", 0.7),
    ("keyword_post", 0.7),
    ("event_attendance", 0.5),
    ("post_comment", 0.6),
    ("post_reaction", 0.4),
    ("profile_visit", 0.5),
];

fn words(text: &str) -> Vec<String> {
    text.split(", ").map(str::to_owned).collect()
}

fn groups(table: &[(&str, f64, &str)]) -> Vec<Group> {
    let group = |(name, share, list): &(&str, f64, &str)| Group {
        name: (*name).to_owned(),
        share: *share,
        words: words(list),
    };
    table.iter().map(group).collect()
}

fn matching(table: &[(&str, f64, &str)]) -> Matching {
    Matching {
        groups: groups(table),
        other: other(),
        unknown: unknown(),
    }
}

impl Default for Rules {
    fn default() -> Self {
        let level = |group: Group| Level {
            whole_company: group.name == "C-level",
            name: group.name,
            share: group.share,
            words: group.words,
        };
        let band = |&(from, to, share): &_| Band { from, to, share };
        Self {
            weights: Weights::default(),
            tiers: Tiers::default(),
            industry: matching(INDUSTRIES),
            size: Sizes {
                bands: BANDS.iter().map(band).collect(),
                other: other(),
                unknown: unknown(),
            },
            title: Titles {
                level_share: level_share(),
                levels: groups(LEVELS).into_iter().map(level).collect(),
                other_level: other(),
                departments: groups(DEPARTMENTS),
                other_department: other(),
                unknown: unknown(),
            },
            location: matching(LOCATIONS),
            intent: Intents::default(),
        }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            industry: 25,
            size: 25,
            title: 25,
            location: 15,
            intent: 10,
        }
    }
}

impl Default for Tiers {
    fn default() -> Self {
        Self {
            a: 85,
            b: 70,
            c: 55,
        }
    }
}

impl Default for Intents {
    fn default() -> Self {
        let event = |(name, share): &(&str, f64)| ((*name).to_owned(), *share);
        Self {
            events: EVENTS.iter().map(event).collect(),
            other: 0.4,
            each_more: 0.1,
            fresh_days: 30,
            stale_days: 90,
        }
    }
}
