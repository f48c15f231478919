/**
 * The bounds of the contract and of what is stored, as plain data: shapes, rules and the stack take them from here, and
 * what merchants read is made from them. A number that only one file knows, such as how many reads it has under way,
 * stays in that file.
 */

const KB = 1024;
const MB = 1024 * KB;

export const requestLimits = {
  bodyBytes: 5 * MB,
  /** Of an image. */
  fileBytes: 4 * MB,
  /** Of form, that an answer names: enough to correct a request. The service does not look for more. */
  faults: 100,
  /** Of lists and objects within each other. */
  depth: 100,
} as const;

/** Of a form on a page for customers. */
export const formLimits = {
  /** Photos, with the limit of one image for all of them together. */
  files: 6,
  /** All products of an order can be chosen at once. */
  texts: 1200,
  /** More than any field takes, so that a longer one is refused, and not cut. */
  textBytes: 40 * KB,
} as const;

/** Of customers on the pages of a shop. */
export const pageLimits = {
  /** That one tracking page takes. */
  claimsInAnHour: 10,
  /** That customers write in the claims of one page. */
  messagesInAnHour: 10,
  /** How long a form can be sent after it was opened. */
  formHours: 24,
  /** To find an order, from one address at one shop. A right one counts too. */
  lookups: 10,
  lookupMinutes: 10,
  /** By the page to unsubscribe from e-mails. To unsubscribe has no limit. */
  subscriptionsInAnHour: 10,
  /** Of a draft that a preview shows. */
  draftBytes: 32 * KB,
  /** Views of a page within this time after the first are one visit. */
  visitMinutes: 30,
  /** That an order keeps, the newest. */
  visits: 20,
} as const;

/** Of e-mails to customers. */
export const emailLimits = {
  /** Of the name of the sender. */
  nameCharacters: 100,
  /** That a shop can send. */
  testsInAnHour: 10,
} as const;

/** What a tracking page shows of an order, so that it stays far below the 6 MB of a response. */
export const pageContentLimits = {
  /** Those that need attention first. */
  parcels: 100,
  productsOfParcel: 100,
  /** The newest. */
  eventsOfParcel: 200,
  /** Of all parcels. Above it, each parcel has an equal share. */
  products: 500,
  events: 1000,
  /** Of what the customer wrote in a claim. */
  claimCharacters: 500,
  /** Of each claim, the newest. */
  messagesOfClaim: 100,
  /** In all claims. Above it, each claim has an equal share. */
  messages: 200,
  /** In these messages of a claim, the newest. */
  photosOfMessages: 60,
} as const;

/** Of API keys and sessions. */
export const accessLimits = {
  /** Of one username from one address, that may come at once. A right key does not count. */
  wrongKeys: 10,
  secondsForOneMore: 6,
  sessionHours: 12,
  keyNameCharacters: 100,
} as const;

/**
 * What all API keys of a shop may use together, with their sessions, so that no merchant holds up another. A stage can
 * set another rate.
 * Enough for an import of some hundred orders a second, and a hundredth of what Lambda gives an account at first.
 */
export const keyRateLimits = {
  /** A request is a unit for each of these milliseconds that it takes, and at least one. */
  unitMs: 50,
  unitsPerSecond: 200,
  /** At once, after a pause. */
  burst: 1000,
  /** In a second, that an execution environment does not count with the others: half of its time. */
  uncounted: 10,
} as const;

export const orderLimits = {
  /** What an order may expect, each a draft until it has its number. */
  expectedShipments: 100,
  trackingsInOneUpsert: 50,
  upsertsInOneCall: 500,
  segments: 100,
  noteAttributes: 100,
  claims: 100,
  /** Of an order or a shipment, compressed: with its keys it stays below the 400 KB of an item. */
  storedBytes: 350 * KB,
  /** Of the same as text: what repeats itself packs well, but every answer holds it unpacked. */
  textBytes: MB,
} as const;

/** How long the texts of an order may be. */
export const orderTexts = {
  order_name: 255,
  email_id: 320,
  external_customer_id: 255,
  financial_status: 100,
  user_agent: 2000,
  segment: 255,
  landing_site: 2048,
  landing_site_ref: 2048,
} as const;

export const noteTexts = { name: 255, value: 5000 } as const;

/** What the service does not know of `order_analytics`, and keeps. */
export const unknownAnalytics = {
  fields: 100,
  /** Of a list or an object within. */
  entries: 100,
  /** Of lists and objects within each other. */
  levels: 2,
  name: 100,
  text: 5000,
  bytes: 32 * KB,
} as const;

export const productTexts = { title: 1000, variant_title: 1000, sku: 255 } as const;

export const orderDiscountTexts = { code: 255, amount: 100, type: 100 } as const;

export const addressTexts = {
  address_line_1: 500,
  address_line_2: 500,
  city: 255,
  country: 255,
  country_code: 10,
  name: 500,
  phone: 100,
  province: 255,
  province_code: 50,
  street: 500,
  zip_code: 50,
  company: 500,
} as const;

export const shipmentLimits = {
  /** Of one shop, that share a tracking number. An update of the carrier changes all of them. */
  ordersInOneParcel: 100,
  /** How far a search looks back, unless it is told. */
  usualSearchDays: 30,
  searchDays: 90,
} as const;

/** The companies that watch parcels. */
export const trackingProviderLimits = {
  /** That a provider is asked for. */
  carriers: 200,
  /** Without an event, that are kept of each provider. */
  unmappedCodes: 1000,
  /** Different ones without an event, that one webhook may count: so many fit into one read of the table. */
  unmappedInOneWebhook: 90,
  codeLength: 200,
  textLength: 500,
  /** How long a registration is tried. */
  registrationHours: 24,
  /** How long ago a parcel may have got its number to be registered when updates are switched on. */
  backlogDays: 90,
  /** Of parcels under way, that one message reads. */
  backlogPage: 100,
} as const;

/** What one message to the queue of carrier updates may hold. */
export const carrierHistoryLimits = {
  /** With the parcel and an outgoing event for each, they fit into one transaction. */
  events: 50,
  /** Ten messages of a request must stay below the 1 MB that SQS takes. */
  bytes: 90 * KB,
} as const;

/** What one request for a list may read. It stops there with an error that says how to go on. */
export const searchLimits = {
  /** Reads of an index or a list. DynamoDB ends each of them after 1 MB. */
  reads: 20,
  /** Entries of an index of orders in one read. */
  entriesOfRead: 1000,
  /** How far a search by the state of parcels looks back. */
  days: 90,
  /** Orders that are read for a filter that no index answers. */
  orders: 1000,
  /** Shipments of these orders: more do not fit into a response of 6 MB. */
  shipments: 10_000,
  /** Shipments that are read for the time of their last change. Each costs as much as twenty entries of an index. */
  fewShipments: 500,
  /** The text of all of them: four times what a response can hold. */
  textBytes: 24 * MB,
  /** Shipments of a search that are counted in the index, for at most 200 read units. The total of more comes from counters. */
  countedShipments: 5000,
} as const;

/** What support sees of an order. */
export const timelineLimits = {
  /** The newest. */
  entries: 500,
  /** That are looked for, those of the newest events first. The same holds for runs of automations. */
  deliveries: 1000,
  /** Of 1 MB each. */
  eventReads: 20,
  /** The newest of each claim. */
  changesOfClaim: 25,
} as const;

/** Of the search by anything. */
export const quickSearchLimits = {
  results: 50,
  textCharacters: 200,
  /** Customers with the same last name, the newest, among whom a first name is looked for. */
  namesakes: 1000,
  /** Letters that a beginning of a name has at least. */
  shortestBeginning: 3,
  /** Names with the same beginning that are read. */
  beginnings: 500,
} as const;

/** What a customer types to withdraw from the contract. */
export const withdrawalLimits = {
  nameCharacters: 200,
  emailCharacters: 320,
  titleCharacters: 200,
  skuCharacters: 100,
  /** With their titles and numbers they take at most 250 KB, wherever they are stored, also beside a copy of the order. */
  items: 200,
} as const;

/** Every event of an order carries all its claims, so one of them must not be large. */
export const claimLimits = {
  bytes: 128 * KB,
  descriptionCharacters: 5000,
  /** Of whoever changes the claim. */
  commentCharacters: 2000,
  /** Of what shop and customer write to each other. */
  messageCharacters: 2000,
  /** In one claim. */
  messages: 1000,
  /** Of the title of an item. */
  titleCharacters: 1000,
} as const;

/** Of how a customer liked a delivery. */
export const ratingLimits = {
  stars: 5,
  textCharacters: 500,
} as const;

/** What a shop has a list of. */
export const recordLimits = {
  deals: 500,
  automations: 50,
  /** Of any of them: the variants of an A/B test fit into one transaction of 4 MB. */
  bytes: 150 * KB,
  /** Of each integration, and of webhooks. */
  internalTriggers: 20,
} as const;

/** What a tracking page shows of a shop. */
export const storefrontLimits = {
  /** Those with the lowest ranks. */
  deals: 6,
  /** The newest of the language. */
  announcements: 3,
  /** The newest of all languages, among which those are found. */
  announcementsRead: 100,
  /** Campaigns and A/B tests that are open in the time of a view. A view with more leaves them out. */
  promotions: 300,
  /** A view holds what is open in this time, and is then made again. */
  minutes: 60,
  /** Of a view, compressed. A larger one is made for each page. */
  bytes: 300 * KB,
  /** Of all views that a function keeps, compressed: unpacked they take about twenty times as much of its memory. */
  bytesInMemory: 3000 * KB,
} as const;

/** Internal triggers and delayed automations. */
export const dueLimits = {
  /** That one shop gets done in a minute, so that it holds up no other shop. The rest follows in the next minutes. */
  perMinute: 8000,
} as const;

export const automationLimits = {
  definitionBytes: 32 * KB,
  /** That the actions can wait after the event. */
  delayDays: 30,
  /** That a run is kept after it was due. */
  runDays: 30,
  /** That a dry run looks back. */
  dryRunDays: 7,
} as const;

export const endpointLimits = {
  endpoints: 50,
  /** That sign at the same time, during rotations. */
  secrets: 5,
} as const;

/** Segments of customers that are fetched from integrations. */
export const segmentLimits = {
  /** After the creation of the order. Then the order stays without them. */
  triedForSeconds: 24 * 3600,
  longestBackOffSeconds: 3600,
  /** Segments of a shop at Shopify, which are asked about page by page. */
  pages: 4,
  ofPage: 250,
} as const;

/** The function that sends a batch has so long. */
const batchSeconds = 60;
const gatheringSeconds = 2;

export const queueLimits = {
  /** Messages of a standard queue that were handed out and are neither deleted nor due again. Above it SQS hands out none. */
  placesInFlight: 120_000,
  /** The share of them at which an alarm fires. */
  alarmingShare: 0.6,
} as const;

const secondsOfCrash = 15 * 60;

/** SQS takes no more than 1,000. */
const backstopReceives = (10 * 24 * 3600) / secondsOfCrash;

/** Of queues whose messages wait until an outage of ours is over. SQS keeps a message for 14 days. */
export const retriedQueueLimits = {
  /** Until a message comes again whose function crashed, or did not even start. */
  visibilitySeconds: secondsOfCrash,
  /**
   * The redrive policy is the backstop for messages that no function could judge, because it crashed at them, was throttled
   * or had no right to start. They are moved after ten days of that, and not later: a message that is moved keeps its age, so
   * the failure queue has it for the four days that are left.
   */
  receives: backstopReceives,
  /**
   * Of a message that failed. So that it costs three receives an hour, and stays below the receives above for as long as
   * it is tried.
   */
  longestPauseSeconds: 20 * 60,
  /** Then the function itself puts a message aside. As a new one, it is kept for another 14 days. */
  triedForDays: 13,
} as const;

/** Of the feed of a shop's events. */
export const feedLimits = {
  /** That an event stays in it, counted in whole hours. */
  days: 30,
  /** That one answer has, and has where the caller does not say how many. */
  page: 500,
  defaultPage: 100,
  /** For how long a request can wait for new events. */
  waitSeconds: 20,
  /** Of one shop that wait at the same time. Further ones are answered at once. */
  waiting: 3,
} as const;

export const deliveryLimits = {
  /** Before a delivery has failed. */
  attempts: 15,
  /**
   * Before a message is a dead letter: four days of a function that does not start. The delivery counts its attempts itself,
   * so this is only the backstop for messages that no function could read.
   */
  receives: backstopReceives,
  batchSeconds,
  /** That a batch waits for more deliveries. */
  gatheringSeconds,
  /** Six times its function's, as AWS advises: a message must not come back while its batch is still being retried. */
  visibilitySeconds: 6 * batchSeconds + gatheringSeconds,
  /** That a delivery is kept. */
  days: 30,
  /** That one is kept after it was sent again: 15 attempts at most 12 hours apart, and a day in which its end can be seen. */
  runDays: 8,
  /** Of what the receiver answered. */
  answerBytes: KB,
  /** Of the newest attempts of a delivery. */
  requestsKept: 5,
  /** Of the body of a request in a vendor's form. A longer one is not kept. */
  requestBytes: 2 * KB,
  /** Of a target, newest first, from which its health is computed. */
  ofHealth: 200,
  /** That one call sends again. */
  recovered: 500,
} as const;

export const payloadLimits = {
  /**
   * Of an order in the payload of its events, without the events of its parcels: a parcel without products of its own
   * repeats those of the order, and a payload has each parcel twice.
   */
  orderBytes: 2 * MB,
  /** Of all claims of an order. */
  claimBytes: MB,
  /** Of what all payloads of an event share. Above it, the older events of the parcels are left out. */
  bytes: 4 * MB,
} as const;

export const fanOutLimits = {
  /** Deliveries and runs that one record of the stream may make at once. More are queued, and shops take turns. */
  unitsAtOnce: 20,
  /** Those that one message of that queue makes, unless a single parcel makes more. */
  unitsOfPart: 50,
  /** Those of one event in a second. So a small request cannot cause a flood, neither here nor at a receiver. */
  unitsPerSecond: 50,
} as const;

export const outboxLimits = {
  /** That an event is kept: a day longer than its deliveries, which an erasure finds by it. */
  days: 31,
  /** Of the order that an event carries: each kilobyte is paid for with each event. */
  snapshotBytes: 64 * KB,
} as const;

/** Of events that travel in the item of an order or shipment. */
export const enclosureLimits = {
  /** In one item, and shipments of one event: fan-out does all that one record of the stream asks for at once. */
  events: 5,
  /** Of the compressed document with its events and the rest of the order: whoever reads the item reads all of it. */
  documentBytes: 2 * KB,
} as const;

export const statisticsLimits = {
  /** That the counts of the deliveries of a day are kept. Those of figures are kept for longer. */
  keptDays: 35,
  /** That one request shows. */
  days: 31,
  usualDays: 14,
} as const;

/** Of figures about deliveries. */
export const figuresLimits = {
  /** That the figures of a day are kept: two years, and a month to compare them. */
  keptDays: 760,
  /** That one request shows. */
  days: 366,
  usualDays: 90,
  /** Of 1 MB each, beyond the first of each three weeks. A shop with a million parcels in 90 days, to 48 lanes, needs none for a year. */
  furtherReads: 30,
  /** While an A/B test runs and its customers may come back: who has more is a machine or a counter sale, and not in the test. */
  ordersOfCustomer: 200,
  /** After an order: a customer who orders again within them counts as one who came back. */
  reorderDays: 30,
} as const;

/** When we say when a parcel arrives. */
export const arrivalLimits = {
  /** The share of deliveries that a window is to hold. */
  level: 0.9,
  /** None is shown while fewer parcels speak for it, or if it is wider. */
  fewestParcels: 30,
  widestDays: 10,
  /** None is shown either if the windows of parcels that were handed over within so many days held fewer. */
  leastCovered: 0.8,
  coveredDays: 56,
  /** The parcels that were handed over within so many days speak, those of this many days ago with half the voice. */
  learnedDays: 84,
  halfLifeDays: 21,
  /** A lane is learned anew when about so many parcels more are known, within these days. */
  newParcels: 20,
  fewestDays: 1,
  mostDays: 14,
  /** Of other shops, for a lane of which a shop knows little. */
  otherShops: 100,
} as const;

/** When a parcel under way is called silent. */
export const silenceLimits = {
  /** While fewer delivered parcels of its carrier and country are known, in days. */
  usualDays: 5,
  knownParcels: 100,
  /** So many of a hundred delivered parcels were never silent for longer. */
  percent: 95,
  /** The parcels that were handed over within so many days speak. */
  learnedDays: 90,
  /** Of a megabyte each, to learn. */
  reads: 10,
} as const;

/** Of what an operator sees of the whole deployment. */
export const operationsLimits = {
  /** Circuits that are shown. */
  circuits: 50,
  /** Parked deliveries that are counted of each. */
  parked: 100,
} as const;

export const attentionLimits = {
  /** Shown of each kind. */
  shown: 20,
  /** Counted of each kind. */
  counted: 200,
  /** Since the last event of a parcel, or since a claim was made. What is older is left out: nobody works on it any more. */
  days: 30,
  /** Of as many parcels under way as are counted, to find the silent ones: of a lane with long silences many are not. */
  reads: 5,
} as const;

/** Of orders whose events follow a script and a clock of their own. */
export const simulationLimits = {
  /** Of one shop, at once. */
  running: 50,
  steps: 200,
  /** Of one order. */
  parcels: 10,
  /** From the start to a step. */
  stepDays: 366,
  /** That the clock goes past the last step, for what waits. */
  daysAfterLastStep: 60,
  /** Between the start and the present, in both directions. */
  startDays: 366,
  /** That one request makes happen, or removes. The next request goes on. */
  thingsAtOnce: 500,
  secondsAtOnce: 15,
  /** That a request has a simulation for itself. No request runs for longer. */
  heldSeconds: 30,
} as const;

/** What is kept of the webhooks of a shop's own system. */
export const shopWebhookLimits = {
  keptDays: 30,
  unreadableShown: 50,
  ignoredTopicsShown: 50,
  topicCharacters: 100,
  /** Fields of one order that could not be read, in its timeline. */
  unreadFields: 20,
} as const;

/** Of requests of the privacy of customers, and of the work that follows them. */
export const privacyLimits = {
  /** In one request. */
  orderNumbers: 100,
  /** In one of the shop system, which sends a refused request again and again. */
  shopSystemOrders: 10_000,
  referenceCharacters: 255,
  /** That a round works, of the minute until the next one. */
  roundSeconds: 45,
  /** That a shop has its turn, while others wait. */
  turnSeconds: 5,
  /** That a round has a piece of work for itself. No round runs for longer. */
  heldSeconds: 55,
  /** Of the table, a second. With 200, other shops waited three times as long in `npm run bench`, with 100 a tenth longer. */
  writeUnits: 100,
  /** In a row, until a request is given up: with the pauses between them, about a day. */
  tries: 30,
  /** In one object of a disclosure. */
  ordersOfPart: 100,
  /** That a disclosure can be downloaded. */
  downloadDays: 7,
  downloadMinutes: 60,
  /** That the orders of a request are remembered: a day longer than its download. */
  foundDays: 8,
} as const;

/** Of the background work that ends what a shop no longer wants to keep. */
export const retentionWorkLimits = {
  /** That a shop has erased in a night. */
  ordersOfNight: 20_000,
  /** That are looked at in a night. */
  visitsOfNight: 500_000,
  /**
   * After which all orders are looked at anew: some may have been placed long before they came in. Twice in the shortest time
   * that a shop can choose, so that each is seen before it is too old.
   */
  walkDays: 15,
} as const;

/** Of the removal of a whole shop. */
export const shopRemovalLimits = {
  /** That a request ends keys. The work that follows ends the rest. */
  requestSeconds: 10,
  /** Between two passes. What was on its way to the table has come by then. */
  pauseSeconds: 120,
} as const;

/** How long a shop can have its data kept. */
export const retentionLimits = {
  minimumDays: 30,
  maximumDays: 3650,
  /** Deliveries are kept no longer. */
  deliveriesDays: 30,
} as const;

export const secondsOfDays = (days: number): number => days * 24 * 3600;

/** A size as merchants read it. */
export const sizeText = (bytes: number): string => (bytes < MB ? `${bytes / KB} KB` : `${bytes / MB} MB`);
