//! The commands: everything a person can ask for, in one table. Keys, palette and help read it.

/// The part of the help and of the palette that a command stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Decisions on the lead under the cursor.
    Decide,
    /// From lead to lead, and into one.
    Move,
    /// Several leads at once.
    Select,
    /// What the list shows, and how.
    List,
    /// The app itself.
    App,
}

impl Group {
    /// Every group, in the order in which they stand.
    pub const ALL: [Self; 5] = [
        Self::Decide,
        Self::Move,
        Self::Select,
        Self::List,
        Self::App,
    ];

    /// The words over it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Decide => "Decide",
            Self::Move => "Move",
            Self::Select => "Select",
            Self::List => "List",
            Self::App => "App",
        }
    }
}

/// Where the keys of a command act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On the grid and on the details of a lead; also while nothing has the focus.
    Grid,
    /// Wherever nobody types.
    Page,
    /// Also where somebody types, with a modifier.
    Always,
}

/// What the table says of a command.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The command.
    pub command: Command,
    /// Its name in what is kept; never changes.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// Where it stands.
    pub group: Group,
    /// Where its keys act.
    pub scope: Scope,
    /// Whether a key that is held down does it again and again.
    pub repeats: bool,
    /// Its keys, unless the person chose others; a space between them.
    pub keys: &'static str,
}

macro_rules! commands {
    ($($(#[$doc:meta])+ $command:ident $id:literal $label:literal $group:ident $scope:ident $repeats:literal $keys:literal;)*) => {
        /// Something that a person can ask for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Command {
            $($(#[$doc])+ $command,)*
        }

        /// Every command, in the order in which they are declared.
        pub const COMMANDS: &[Spec] = &[$(Spec {
            command: Command::$command,
            id: $id,
            label: $label,
            group: Group::$group,
            scope: Scope::$scope,
            repeats: $repeats,
            keys: $keys,
        },)*];
    };
}

commands! {
    /// Approves the lead and goes on to the next.
    Approve "approve" "Approve" Decide Grid false "A";
    /// Rejects the lead and goes on to the next.
    Reject "reject" "Reject" Decide Grid false "R";
    /// Sets the lead back to pending and goes on to the next.
    Pending "pending" "Move back to pending" Decide Grid false "P";
    /// Filters the lead out and goes on to the next.
    FilterOut "filter-out" "Filter out" Decide Grid false "F";
    /// Takes back what was done last.
    Undo "undo" "Undo" Decide Page false "U Ctrl+Z";
    /// Does again what was taken back.
    Redo "redo" "Redo" Decide Page false "Ctrl+Shift+Z Ctrl+Y";
    /// Shows the latest decisions, each with its way back.
    Recent "recent" "Recent decisions" Decide Page false "H";
    /// Deletes the lead, after a question.
    Delete "delete" "Delete" Decide Grid false "Delete";

    /// The next row.
    MoveDown "down" "Next row" Move Grid true "J";
    /// The row before.
    MoveUp "up" "Previous row" Move Grid true "K";
    /// The next lead that nobody decided on.
    NextUndecided "next-undecided" "Next undecided lead" Move Grid false "N";
    /// Opens the details of the row.
    Open "open" "Open details" Move Grid false "Enter";
    /// Closes the details.
    Close "close" "Close details" Move Grid false "Escape";

    /// Ticks the row, or takes its tick away.
    Select "select" "Select or unselect" Select Grid false "X";
    /// Ticks every row of the page; once more, every row that matches.
    SelectAll "select-all" "Select the page, then all matching" Select Grid false "Ctrl+A";
    /// Ticks every row that matches.
    SelectMatching "select-matching" "Select all matching" Select Page false "";
    /// Takes all ticks away.
    ClearSelection "clear-selection" "Clear the selection" Select Page false "";
    /// Approves what is ticked.
    ApproveSelected "approve-selected" "Approve selected" Select Grid false "Shift+A";
    /// Rejects what is ticked.
    RejectSelected "reject-selected" "Reject selected" Select Grid false "Shift+R";
    /// Has what is ticked scored.
    ScoreSelected "score-selected" "Score selected" Select Page false "";
    /// Shows the pulses of the ticked accounts side by side.
    ComparePulses "compare-pulses" "Compare pulses of selected accounts" Select Page false "";
    /// Has every row that matches scored.
    ScoreMatching "score-matching" "Score all matching" Select Page false "";

    /// Goes to the search box.
    Search "search" "Search" List Page false "/";
    /// Takes search and filters away.
    ClearFilters "clear-filters" "Clear search and filters" List Page false "";
    /// Loads the list again.
    Refresh "refresh" "Refresh the list" List Page false "";
    /// Opens the saved views.
    Views "views" "Saved views" List Page false "V";
    /// Saves the view under a name.
    SaveView "save-view" "Save this view" List Page false "";
    /// Opens the menu of the columns.
    Columns "columns" "Columns" List Page false "C";
    /// Changes between high and low rows.
    ToggleDensity "density" "Compact or comfortable rows" List Page false "D";
    /// Copies the address of the view.
    CopyLink "copy-link" "Copy a link to this view" List Page false "";
    /// Has a list scored.
    ScoreList "score-list" "Score a list" List Page false "";
    /// Has the account that the cursor is on scored.
    ScoreAccount "score-account" "Score this account" List Page false "";
    /// Exports the leads of the view.
    Export "export" "Export" List Page false "";

    /// Opens the palette of commands.
    Palette "palette" "Commands" App Always false "Ctrl+K";
    /// Shows all keys.
    Help "help" "Keyboard shortcuts" App Page false "?";
    /// Goes to the leads.
    GoLeads "go-leads" "Go to leads" App Page false "";
    /// Goes to the accounts.
    GoAccounts "go-accounts" "Go to accounts" App Page false "";
    /// Goes to the accounts side by side.
    GoPortfolio "go-portfolio" "Go to portfolio" App Page false "";
    /// Goes to the settings.
    GoSettings "go-settings" "Settings" App Page false "";
    /// Goes to the page that imports.
    Import "import" "Import leads" App Page false "";
    /// The next choice of colours.
    ThemeNext "colours" "Change the colours" App Page false "";
    /// Asks for another key of the workspace.
    AskKey "workspace-key" "Change the workspace key" App Page false "";
    /// Leaves the workspace, after a question.
    SignOut "sign-out" "Sign out" App Page false "";
}

impl Command {
    /// What the table says of it.
    pub fn spec(self) -> &'static Spec {
        &COMMANDS[self as usize]
    }

    /// Whether it changes leads.
    pub fn changes(self) -> bool {
        let decides = self.spec().group == Group::Decide && self != Self::Recent;
        decides || matches!(self, Self::ApproveSelected | Self::RejectSelected)
    }

    /// Whether it works on what is selected.
    pub fn is_for_selection(self) -> bool {
        matches!(
            self,
            Self::ClearSelection
                | Self::ApproveSelected
                | Self::RejectSelected
                | Self::ScoreSelected
                | Self::ComparePulses
        )
    }

    /// The command of a name in what is kept.
    pub fn of(id: &str) -> Option<Self> {
        let spec = COMMANDS.iter().find(|spec| spec.id == id)?;
        Some(spec.command)
    }
}
