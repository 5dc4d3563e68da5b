/** Who writes a record: `admin` is an admin's account, or a key of an admin or of the installation with the scope `admin`. Some fields are an admin's to set. */
export type Author = 'admin' | 'other';
