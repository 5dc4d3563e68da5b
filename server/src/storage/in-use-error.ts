/** Another Parley process works on the data. `message` is for the operator. */
export class InUseError extends Error {}
