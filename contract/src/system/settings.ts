import { z } from 'zod'
import { zDay, zPictureUrl } from '../kernel/endpoint'

/**
 * Every setting, declared once: its type, what it is shipped with, and how far down the merchant tree it may differ.
 * The settings page, the calls that read and write them, and the code that obeys them all start from this file.
 */
export type Setting<V = unknown> = {
  key: string
  /** The tab of the settings page it stands in. */
  group: 'brand' | 'security' | 'money' | 'messages' | 'links' | 'data' | 'backup'
  /** `platform`: one value for all. `merchant`: each merchant may have its own; who has none takes the parent's. */
  level: 'platform' | 'merchant'
  kind: 'boolean' | 'count' | 'money' | 'percent' | 'text' | 'choice' | 'day' | 'window' | 'url' | 'colour' | Picked
  schema: z.ZodType<V>
  shipped: V
  /** Above which money is looked at by two people: whom it holds may lower it, and only the platform raises it. */
  isLimit?: true
  /** For `choice`. */
  options?: readonly string[]
}

type Picked = 'picture' | 'merchant'

const setting = <V>(declared: Setting<V>): Setting<V> => declared
const zTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
const zHttp = z.url({ protocol: /^https?$/ }).max(500)
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
/** Fen above which another person is asked. */
const limit = (key: string, level: Setting['level'], shipped: number) =>
  setting({ key, group: 'money', level, isLimit: true, kind: 'money', schema: whole(0, 100_000_000), shipped })
/** Days or other whole things, from one to `most`. */
const upTo = (key: string, group: Setting['group'], level: Setting['level'], most: number, shipped: number) =>
  setting({ key, group, level, kind: 'count', schema: whole(1, most), shipped })
/** About a merchant's goods. */
const ofGoods = (key: string, schema: ReturnType<typeof whole>, shipped: number) =>
  setting({ key, group: 'data', level: 'merchant', kind: 'count', schema, shipped })
const link = (key: string) =>
  setting({ key, group: 'links', level: 'platform', kind: 'url', schema: zHttp.nullable(), shipped: null })

/** Specification §5 as shipped reads 3–9, since 16x and 19x numbers exist; `narrow` is its own 3, 4, 5, 7, 8. */
export const phoneRule = setting<'wide' | 'narrow'>({
  key: 'phone.rule',
  group: 'security',
  level: 'platform',
  kind: 'choice',
  schema: z.enum(['wide', 'narrow']),
  shipped: 'wide',
  options: ['wide', 'narrow'],
})
/** Characters; specification §5 names 6 and 20. */
export const passwordMin = setting({
  key: 'password.minLength',
  group: 'security',
  level: 'platform',
  kind: 'count',
  schema: whole(6, 20),
  shipped: 6,
})
/** As shipped the specification's own; longer ones help those who use a password manager. */
export const passwordMax = setting({
  key: 'password.maxLength',
  group: 'security',
  level: 'platform',
  kind: 'count',
  schema: whole(20, 128),
  shipped: 20,
})
/** A second factor for whoever holds a permission that moves money or edits rights. */
export const secondFactorForRisk = setting({
  key: 'secondFactor.requiredForRisk',
  group: 'security',
  level: 'merchant',
  kind: 'boolean',
  schema: z.boolean(),
  shipped: false,
})
/** Whoever knows the address sees the platform's wallboard; else only who has a display key. */
export const wallboardOpen = setting({
  key: 'wallboard.open',
  group: 'security',
  level: 'platform',
  kind: 'boolean',
  schema: z.boolean(),
  shipped: false,
})
/** Specification §9; its other reading, 10:00 to 17:00, is one change away. Times of the merchant's zone. */
export const withdrawalWindow = setting({
  key: 'withdrawal.window',
  group: 'money',
  level: 'platform',
  kind: 'window',
  schema: z.strictObject({ from: zTime, to: zTime }).refine(({ from, to }) => from < to),
  shipped: { from: '07:30', to: '19:30' },
})
/** Fen. Refunds by hand, and problem orders closed as they stand, above this need a second person. */
export const refundSecondPerson = limit('refund.secondPersonFen', 'merchant', 5_000)
/** Fen. Withdrawals of so much are looked at by two people, besides who asked for them. */
export const withdrawalSecondPerson = limit('withdrawal.secondPersonFen', 'merchant', 5_000_000)
/** Fen. What customers are paid back by itself, where the machine said that nothing came out; 0 pays nothing so. */
export const customerPayBack = limit('customer.payBackFen', 'merchant', 2_000)
/** Fen. What is decided about a difference to a channel's bill above this needs a second person. */
export const settlementSecondPerson = limit('settlement.secondPersonFen', 'platform', 5_000)
/** After so many days a merchant that says nothing about a settlement has agreed to it. */
export const settlementConfirmDays = upTo('settlement.confirmDays', 'money', 'platform', 90, 7)
/** Of what an order was paid, the most that others may get of it: what channel and contract allow. */
export const splitCap = upTo('split.capPercent', 'money', 'merchant', 100, 30)
/** Nothing is shown from before (specification §9: date presets begin no earlier than June 2019). */
export const dataBegins = setting({
  key: 'data.beginsOn',
  group: 'data',
  level: 'platform',
  kind: 'day',
  schema: zDay,
  shipped: '2019-06-01',
})
/** Whether retail machines sell medicine that is limited by person, to whoever's document they have checked. */
export const limitedInRetail = setting({
  key: 'medicine.limitedInRetail',
  group: 'data',
  level: 'platform',
  kind: 'boolean',
  schema: z.boolean(),
  shipped: false,
})
/** How long programs of others can read back what happened, and be told it again. */
export const eventKeptDays = upTo('events.keptDays', 'data', 'platform', 400, 90)
/** Days before a licence ends from which on it warns. */
export const licenceWarningDays = upTo('licence.warningDays', 'data', 'merchant', 365, 60)
const alarmLimit = (key: string, schema: ReturnType<typeof whole>, shipped: number) =>
  setting({ key, group: 'messages', level: 'merchant', kind: 'count', schema, shipped })
/** Minutes of silence after which a machine is an alarm; shorter gaps are a mobile network's habit. */
export const alarmOfflineMinutes = alarmLimit('alarm.offlineMinutes', whole(3, 1440), 10)
/** Minutes that a door may stand open. */
export const alarmDoorMinutes = alarmLimit('alarm.doorMinutes', whole(1, 240), 5)
/** Hours after which people are told again of a machine that is offline and that nobody has taken up. */
export const alarmRemindHours = alarmLimit('alarm.remindHours', whole(1, 720), 24)
/** Hours without a sale from which on silence is compared with what is usual. */
export const alarmNoSalesHours = alarmLimit('alarm.noSalesHours', whole(1, 24), 4)
export const brandLogo = setting({
  key: 'brand.logo',
  group: 'brand',
  level: 'merchant',
  kind: 'picture',
  schema: zPictureUrl.nullable(),
  shipped: null,
})
export const brandName = setting({
  key: 'brand.name',
  group: 'brand',
  level: 'merchant',
  kind: 'text',
  schema: z.string().trim().max(40).nullable(),
  shipped: null,
})
/** `#rrggbb`; null is the product's own. */
export const brandColour = setting({
  key: 'brand.colour',
  group: 'brand',
  level: 'merchant',
  kind: 'colour',
  schema: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .nullable(),
  shipped: null,
})
const zMerchantId = whole(1, 1e12).nullable()
const entrance = (key: string): Setting<number | null> =>
  setting({ key, group: 'brand', level: 'platform', kind: 'merchant', schema: zMerchantId, shipped: null })
/** Whose brand a sign-in page carries, by the last part of its address; the platform's without one. */
export const entranceBrands = {
  loginAme: entrance('entrance.americas'),
  loginFr: entrance('entrance.french'),
  loginSrx: entrance('entrance.partner'),
} as const
/** Nobody is disturbed between these times by anything that can wait; of the receiver's merchant's zone. */
export const quietHours = setting({
  key: 'message.quietHours',
  group: 'messages',
  level: 'merchant',
  kind: 'window',
  schema: z.strictObject({ from: zTime, to: zTime }).nullable(),
  shipped: null,
})

/** Addresses of the landing page's other systems (specification §2.3) and of the sign-in page's two links (§2.2). */
export const tileLinks = {
  financeLease: link('link.financeLease'),
  inspection: link('link.inspection'),
  factoryTest: link('link.factoryTest'),
  afterSales: link('link.afterSales'),
  announcement: link('link.announcement'),
  configuration: link('link.configuration'),
} as const
export const mobileAppLink = link('link.mobileApp')
export const helperLink = link('link.helper')
export const manualLink = link('link.manual')

/** Where the world reaches this server, `https://…`: what payment providers are told to notify. */
export const publicAddress = link('site.address')

/** Where machines reach the broker, `mqtts://host:8883`: said to whoever sets one up. */
export const brokerAddress = setting({
  key: 'site.brokerAddress',
  group: 'links',
  level: 'platform',
  kind: 'text',
  schema: z
    .string()
    .trim()
    .max(120)
    .regex(/^(mqtts?|wss?):\/\/[^\s/]+(\/\S*)?$/)
    .nullable(),
  shipped: null,
})

/** Days that a prescription holds from when it is submitted (Prescription Administration, article 18: at most 3). */
export const prescriptionDays = ofGoods('prescription.validDays', whole(1, 30), 3)

/** Days that a medicine must still be good for when it is sold: who begins a course ends it before the pack expires. */
export const medicineMarginDays = ofGoods('medicine.marginDays', whole(0, 60), 3)

/** Stored medicines are looked at once in so many months; key medicines more often. */
export const careMonths = ofGoods('care.months', whole(1, 12), 3)
export const careKeyMonths = ofGoods('care.keyMonths', whole(1, 12), 1)
/** Days after which care that was due and not signed counts as missed. */
export const careGraceDays = ofGoods('care.graceDays', whole(0, 60), 7)
/** Months before its expiry from which on goods are near it, by how they are stored. */
const nearMonths = (storage: 'room' | 'cool' | 'cold') => ofGoods(`expiry.nearMonths.${storage}`, whole(1, 24), 6)
export const expiryNearMonths = { room: nearMonths('room'), cool: nearMonths('cool'), cold: nearMonths('cold') }

/** Fen, at cost. What one person writes off in a day above this waits for another. */
export const writeOffSecondPerson = limit('writeOff.secondPersonFen', 'merchant', 20_000)

/** Fen. A cash box that is off by more, and by more than a hundredth, waits for another person. */
export const cashTolerance = limit('cash.toleranceFen', 'merchant', 1_000)

/** Fen. What one person orders in a day above this waits for another. */
export const purchaseSecondPerson = limit('purchase.secondPersonFen', 'merchant', 200_000)
/** What one person pays suppliers in a day above this waits for another. */
export const supplierPaymentSecondPerson = limit('supplierPayment.secondPersonFen', 'merchant', 500_000)
/** Of the pieces of an order's line, how many more may be taken in than were ordered. */
export const purchaseOverPercent = ofGoods('purchase.overPercent', whole(0, 50), 0)

/** Megabytes of a file that machines fetch over a mobile network, and seconds that one video holds a screen. */
export const advertMegabytes = upTo('advert.megabytes', 'data', 'platform', 200, 50)
export const advertSeconds = upTo('advert.seconds', 'data', 'platform', 600, 60)
/** What a count differs by from which on another person counts again; of a medicine any difference is enough. */
export const countSecond = {
  pieces: ofGoods('count.secondPieces', whole(1, 999), 2),
  percent: ofGoods('count.secondPercent', whole(1, 100), 5),
  fen: setting({
    key: 'count.secondFen',
    group: 'money',
    level: 'merchant',
    kind: 'money',
    schema: whole(0, 100_000_000),
    shipped: 2_000,
  }),
}

/** Fen that may stand on a card that bears a name, and on one that bears none (State Council, 2011 no. 25). */
const cardMost = (key: string, shipped: number) =>
  setting({
    key,
    group: 'money',
    level: 'merchant',
    isLimit: true,
    kind: 'money',
    schema: whole(0, 10_000_000),
    shipped,
  })
export const cardMostNamed = cardMost('card.mostNamedFen', 500_000)
export const cardMostUnnamed = cardMost('card.mostUnnamedFen', 100_000)

/** Wrong pick-up codes that a machine may send before it is asked no more for a while, and how long both last. */
export const codeGuesses = setting({
  key: 'pickup.wrongCodes',
  group: 'security',
  level: 'platform',
  kind: 'count',
  schema: whole(1, 100),
  shipped: 6,
})
export const codeGuessMinutes = setting({
  key: 'pickup.wrongCodeMinutes',
  group: 'security',
  level: 'platform',
  kind: 'count',
  schema: whole(1, 1440),
  shipped: 10,
})

/** Business hours within which who gives feedback hears of support: the first time, and after each reply. */
export const feedbackHours = setting({
  key: 'feedback.promiseHours',
  group: 'messages',
  level: 'platform',
  kind: 'count',
  schema: whole(1, 200),
  shipped: 8,
})
/** When support works, by the platform's clock. */
export const businessHours = setting({
  key: 'feedback.businessHours',
  group: 'messages',
  level: 'platform',
  kind: 'window',
  schema: z.strictObject({ from: zTime, to: zTime }).refine(({ from, to }) => from < to),
  shipped: { from: '09:00', to: '18:00' },
})
export const worksAtWeekends = setting({
  key: 'feedback.weekends',
  group: 'messages',
  level: 'platform',
  kind: 'boolean',
  schema: z.boolean(),
  shipped: false,
})

const ofBackup = <V>(key: string, declared: Pick<Setting<V>, 'kind' | 'schema' | 'shipped'>) =>
  setting({ key: `backup.${key}`, group: 'backup', level: 'platform', ...declared })
/** One copy a day of database, pictures and exports, each tried by restoring it; a demo begins without. */
export const backup = {
  isOn: ofBackup('isOn', { kind: 'boolean', schema: z.boolean(), shipped: true }),
  /** Of the platform's clock. */
  hour: ofBackup('hour', { kind: 'count', schema: whole(0, 23), shipped: 3 }),
  /** On the server; without one, `backups` in its DATA_DIR. */
  folder: ofBackup('folder', {
    kind: 'text',
    schema: z
      .string()
      .trim()
      .max(300)
      .regex(/^(\/|[A-Za-z]:[\\/])/)
      .nullable(),
    shipped: null,
  }),
  /** The newest of each of so many days, and of each of so many weeks, are kept. */
  keepDays: ofBackup('keepDays', { kind: 'count', schema: whole(1, 60), shipped: 7 }),
  keepWeeks: ofBackup('keepWeeks', { kind: 'count', schema: whole(0, 52), shipped: 4 }),
}

export const settings: readonly Setting[] = [
  brandLogo,
  brandName,
  brandColour,
  ...Object.values(entranceBrands),
  phoneRule,
  passwordMin,
  passwordMax,
  secondFactorForRisk,
  wallboardOpen,
  codeGuesses,
  codeGuessMinutes,
  withdrawalWindow,
  withdrawalSecondPerson,
  refundSecondPerson,
  customerPayBack,
  settlementSecondPerson,
  settlementConfirmDays,
  splitCap,
  writeOffSecondPerson,
  cashTolerance,
  purchaseSecondPerson,
  purchaseOverPercent,
  supplierPaymentSecondPerson,
  ...Object.values(countSecond),
  cardMostNamed,
  cardMostUnnamed,
  quietHours,
  feedbackHours,
  businessHours,
  worksAtWeekends,
  dataBegins,
  limitedInRetail,
  eventKeptDays,
  licenceWarningDays,
  prescriptionDays,
  medicineMarginDays,
  careMonths,
  careKeyMonths,
  careGraceDays,
  ...Object.values(expiryNearMonths),
  advertMegabytes,
  advertSeconds,
  alarmOfflineMinutes,
  alarmDoorMinutes,
  alarmRemindHours,
  alarmNoSalesHours,
  ...Object.values(backup),
  publicAddress,
  ...Object.values(tileLinks),
  mobileAppLink,
  helperLink,
  manualLink,
] as readonly Setting[]
