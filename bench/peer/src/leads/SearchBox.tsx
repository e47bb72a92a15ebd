import { memo, useEffect, useState } from "react";

import { useDebouncedValue } from "../lib/useDebouncedValue";

interface SearchBoxProps {
  onSearch: (term: string) => void;
}

/** Handles keystrokes locally and reports the debounced term. */
export const SearchBox = memo(function SearchBox({ onSearch }: SearchBoxProps) {
  const [text, setText] = useState("");
  const term = useDebouncedValue(text.trim(), 150);
  useEffect(() => onSearch(term), [onSearch, term]);
  return (
    <input
      type="search"
      className="field search"
      aria-label="Search leads"
      placeholder="Search leads"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
});
