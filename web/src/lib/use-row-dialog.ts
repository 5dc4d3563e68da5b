import { useState } from 'react';

/** The row of a list whose dialog is open, or null; functions that open and close it. */
export function useRowDialog<Row>(): [row: Row | null, open: (row: Row) => void, close: () => void] {
  const [row, setRow] = useState<Row | null>(null);
  const close = () => {
    setRow(null);
    // The row with the focus may be deleted.
    document.getElementById('content')?.focus();
  };
  return [row, setRow, close];
}
