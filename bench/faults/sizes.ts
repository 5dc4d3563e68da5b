/** How large a scenario is. */
export interface FaultSizes {
  /** Questions a second. */
  rate: number;
  conversations: number;
  /** Of `kills`: while it answers. */
  kills: number;
  /** Of `kills`: before it is ready. */
  'early-kills': number;
  /** Of `parts`. */
  'part-kills': number;
  stops: number;
  /** Of each pause of `limits` and each outage. */
  messages: number;
  /** Longest pause of `limits`; shorter ones are taken beside it. Seconds. */
  'longest-pause': number;
  /** Percentage of the usual length of each outage. */
  'outage-percent': number;
  restarts: number;
  crashes: number;
  cuts: number;
  fills: number;
  flood: number;
  /** How long before a kill an answer of the platform may have come without having been stored, milliseconds. */
  wire: number;
  /** What a stop may take beyond its limit, seconds. */
  grace: number;
  /** Longest wait until everything is answered, seconds. */
  patience: number;
}

export const fullSizes: FaultSizes = {
  rate: 20,
  conversations: 50,
  kills: 64,
  'early-kills': 12,
  'part-kills': 30,
  stops: 20,
  messages: 100,
  'longest-pause': 600,
  'outage-percent': 100,
  restarts: 10,
  crashes: 3,
  cuts: 20,
  fills: 3,
  flood: 1000,
  wire: 50,
  grace: 2,
  patience: 300,
};

/** Those of `npm run test:long` and of the defects. */
export const shortSizes: FaultSizes = {
  rate: 10,
  conversations: 20,
  kills: 5,
  'early-kills': 1,
  'part-kills': 4,
  stops: 3,
  messages: 20,
  'longest-pause': 90,
  'outage-percent': 20,
  restarts: 2,
  crashes: 1,
  cuts: 2,
  fills: 1,
  flood: 200,
  // Other tests may keep the machine busy.
  wire: 500,
  grace: 6,
  patience: 90,
};
