// A page of 100 leads with every field set, about 200 kB.

const NAMES = {
  ascii: ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov"],
  scripts: ["Zoë Björkström", "李雷 Wang", "Владимир Ковалёв", "محمد عبد الله", "सुनीता शर्मा", "田中 さくら", "Γιώργος Παππάς"],
};

const TEXTS = {
  ascii: "We help revenue teams at growing software companies to find the accounts that are worth a call. ",
  scripts: "Wir helfen Vertriebsteams – überall. 私たちは営業チームを支援します。Мы помогаем отделам продаж. ",
};

export function fixture(kind) {
  const names = NAMES[kind];
  const text = TEXTS[kind];
  const lead = (index) => ({
    lead_id: `0193a1f0-0000-7000-8000-${String(index).padStart(12, "0")}`,
    provider_id: `ACoAAB${index * 7919}`,
    name: `${names[index % names.length]} ${index}`,
    headline: text.slice(0, 60),
    profile_url: `https://network.example/in/person-${index}`,
    profile_picture_url: `https://media.example/pictures/${index}/profile-400x400.jpg`,
    profile_data: {
      title: "Chief Revenue Officer",
      location: names[(index + 1) % names.length],
      connections_count: 500 + index,
      follower_count: 1200 + 3 * index,
      languages: ["en", "de"],
    },
    custom_data: { owner: "team-a", priority: index % 5, tags: ["inbound", "q3"] },
    current_account: {
      account_id: `0193a1f0-1111-7000-8000-${String(index % 40).padStart(12, "0")}`,
      name: `${names[(index + 2) % names.length]} GmbH`,
      logo_url: `https://media.example/logos/${index % 40}.png`,
      network_url: `https://network.example/company/c-${index % 40}`,
      network_username: `c-${index % 40}`,
      industry: "Computer Software",
      staff_count_range: "51-200",
      title: "Chief Revenue Officer",
      tagline: text.slice(0, 40),
      founded_year: 1990 + (index % 30),
      description: text,
      location: "Berlin, Germany",
    },
    list_scores: [
      {
        list_id: "0193a1f0-2222-7000-8000-000000000001",
        list_name: "Q3 targets",
        icp_score: 60 + (index % 40),
        icp_tier: "B",
        icp_reasoning: "Industry 25/25: a target industry; Size 16/25: 51-200 people; Title 20/25: a chief",
        scored_at: "2026-02-01T09:30:00Z",
      },
    ],
    intent: {
      id: `intent-${index}`,
      event_type: "job_change",
      event_data: { from: "VP Sales", to: "CRO" },
      signal_run_id: "run-17",
      lead_list_id: "0193a1f0-2222-7000-8000-000000000001",
      signal_id: "signal-3",
      created_at: "2026-01-30T08:00:00Z",
    },
    import_job_id: "import-1",
    approval_status: ["approved", "pending_approval", "rejected", "filtered"][index % 4],
    created_at: "2026-01-29T10:00:00Z",
    chat_id: index % 3 === 0 ? `chat-${index}` : null,
    resolved_timezone: "Europe/Berlin",
    timezone_label: "CET (UTC+1)",
    lists: [{ list_id: "0193a1f0-2222-7000-8000-000000000001", list_name: "Q3 targets", item_id: `item-${index}` }],
    campaigns: [{ campaign_id: "c-1", campaign_name: "Spring", campaign_status: "active", lead_status: "contacted" }],
  });
  const data = Array.from({ length: 100 }, (_, index) => lead(index));
  const page = { data, total: 12345, has_more: true, page: 1, page_size: 100 };
  return new TextEncoder().encode(JSON.stringify(page));
}
