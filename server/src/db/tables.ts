import type { ColumnType, Generated } from 'kysely'

/**
 * Written by tables.test.ts from the migrated database, which is the truth: run it with `-u` after a migration.
 * Names stand as the query builder spells them (names.ts); a column that a check holds to some words has their type.
 */
type Json = ColumnType<unknown, string, string>
type GivenJson = ColumnType<unknown, string | undefined, string>
type Computed<T> = ColumnType<T, never, never>

export type Tables = {
  accountFollower: {
    accountId: number
    openId: string
    isFollowing: boolean
    machineId: number | null
    changedAt: Date
  }
  acquirer: {
    id: Generated<number>
    provider: 'alipay' | 'wechat' | 'unionpay'
    name: string
    remark: Generated<string>
    version: Generated<number>
    createdAt: Date
  }
  advertAtMachine: {
    bookingId: number
    machineId: number
    why: 'school' | 'full' | null
  }
  advertBooking: {
    id: Computed<number>
    merchantId: number
    name: string
    advertiser: string
    contractNo: Generated<string>
    state: Generated<'running' | 'paused' | 'ended'>
    creativeIds: number[]
    machineIds: Generated<number[]>
    groupIds: Generated<number[]>
    pointIds: Generated<number[]>
    merchantIds: Generated<number[]>
    startsOn: string
    endsOn: string
    fromHour: number
    toHour: number
    playsPerHour: number
    priority: number
    priceKind: 'play' | 'machine_day' | 'fixed'
    priceFen: number
    createdBy: number | null
    createdAt: Date
    endedAt: Date | null
  }
  advertDay: {
    bookingId: number
    machineId: number
    businessDay: string
    creativeId: number
    bookedHours: Generated<number>
    bookedPlays: Generated<number>
    offlineHours: Generated<number>
    plays: Generated<number>
  }
  advertList: {
    machineId: number
    version: number
    ads: Json
    wantedAt: Date
    commandId: string
    askedAt: Date
    reportedVersion: number | null
  }
  advertUpload: {
    id: Computed<number>
    merchantId: number
    userId: number
    bytes: number
    received: Generated<number>
    begunAt: Date
  }
  agreement: {
    id: Computed<number>
    number: number | null
    state: Generated<'draft' | 'published'>
    titleZh: string
    titleEn: Generated<string>
    titleFr: Generated<string>
    titleKo: Generated<string>
    bodyZh: string
    bodyEn: Generated<string>
    bodyFr: Generated<string>
    bodyKo: Generated<string>
    version: Generated<number>
    createdAt: Date
    createdBy: number | null
    publishedAt: Date | null
    publishedBy: number | null
  }
  agreementAcceptance: {
    agreementId: number
    userId: number
    acceptedAt: Date
    ip: string
    language: string
  }
  alarm: {
    id: Computed<number>
    merchantId: number
    machineId: number
    cause: string
    slotCode: Generated<string>
    level: 'notice' | 'warning' | 'critical'
    state: Generated<'open' | 'acknowledged' | 'assigned' | 'closed'>
    facts: GivenJson
    openedAt: Date
    seenAt: Date
    count: Generated<number>
    acknowledgedBy: number | null
    acknowledgedAt: Date | null
    assigneeId: number | null
    closedAt: Date | null
    closedBy: number | null
    closedNote: Generated<string>
    version: Generated<number>
    usualFenHour: number | null
    toldAt: Date | null
    repairOrderId: number | null
    worst: Computed<number>
  }
  alarmEvent: {
    id: Computed<number>
    alarmId: number
    at: Date
    verb: 'acknowledge' | 'assign' | 'close' | 'repair'
    userId: number | null
    assigneeId: number | null
    note: Generated<string>
  }
  alarmPending: {
    machineId: number
    cause: string
    slotCode: Generated<string>
    since: Date
  }
  apiKey: {
    id: Computed<number>
    merchantId: number
    userId: number
    name: string
    prefix: string
    keyHash: Buffer
    scopes: string[]
    callsAMinute: number
    expiresOn: string
    answersBy: number
    createdBy: number
    createdAt: Date
    revokedBy: number | null
    revokedAt: Date | null
    lastUsedAt: Date | null
    version: Generated<number>
  }
  apiKeyRate: {
    keyId: number
    minute: Date
    calls: number
  }
  appPackage: {
    id: Computed<number>
    merchantId: number
    version: string
    url: string
    sha256: string
    notes: Generated<string>
    createdBy: number | null
    createdAt: Date
  }
  appUser: {
    id: Generated<number>
    merchantId: number
    account: string
    displayName: string
    kind: 'platform_admin' | 'merchant_admin' | 'ordinary' | 'doctor' | 'program'
    state: Generated<'active' | 'disabled'>
    phone: string | null
    language: Generated<'zh' | 'en' | 'fr' | 'ko'>
    createdAt: Generated<Date>
    organisationId: number | null
    email: string | null
    version: Generated<number>
  }
  area: {
    id: Generated<number>
    merchantId: number
    name: string
    version: Generated<number>
    createdAt: Generated<Date>
  }
  assortment: {
    id: Generated<number>
    merchantId: number
    name: string
    remark: Generated<string>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  assortmentGroup: {
    assortmentId: number
    groupId: number
  }
  assortmentMachine: {
    assortmentId: number
    machineId: number
  }
  assortmentProduct: {
    assortmentId: number
    productId: number
  }
  assortmentSlot: {
    assortmentId: number
    slotCode: string
    productId: number
  }
  auditCheck: {
    id: Computed<number>
    about: 'log' | 'books'
    checkedAt: Date
    rows: number
    problems: string[]
  }
  auditLink: {
    seq: number
    logId: number
    sealId: number
    digest: Buffer
  }
  auditLog: {
    id: Computed<number>
    at: Date
    merchantId: number
    userId: number | null
    ip: string
    action: string
    objectKind: string
    objectId: string
    before: Json | null
    after: Json | null
    traceId: string
  }
  auditPending: {
    logId: number
    at: Date
  }
  auditSeal: {
    id: Computed<number>
    lastSeq: number
    rows: number
    hash: Buffer
    sealedAt: Date
  }
  backupRun: {
    id: Computed<number>
    file: string
    bySchedule: boolean
    beganAt: Date
    endedAt: Date | null
    isGood: boolean | null
    problem: Generated<string>
    bytes: number | null
    booksHash: Buffer | null
    removedAt: Date | null
  }
  bag: {
    id: Computed<number>
    merchantId: number
    userId: number | null
    placeId: number
  }
  bagService: {
    id: Computed<number>
    machineId: number
    bagId: number
    fromAt: Date
    toAt: Date | null
  }
  bankAccount: {
    id: Generated<number>
    merchantId: number
    state: Generated<'draft' | 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'replaced'>
    holderKind: 'company' | 'person'
    holder: string
    bank: string
    bankCity: string
    branch: string
    bankFullName: string
    shortName: string
    storeName: string
    province: string
    city: string
    street: string
    businessType: string
    contact: string
    contactPhone: string
    documentKind: 'business_licence' | 'identity_card' | 'passport'
    sealed: Buffer | null
    accountTail: string
    documentTail: string
    pictures: Generated<string[]>
    authors: number[]
    createdAt: Date
    requestedBy: number | null
    requestedAt: Date | null
    reviewedBy: number | null
    reviewedAt: Date | null
    reason: string | null
    endedAt: Date | null
    version: Generated<number>
  }
  bankDifference: {
    id: number
    reason: string
    explainedBy: number
    explainedAt: Date
  }
  bankReceipt: {
    id: Computed<number>
    channelId: number
    merchantId: number
    bankNo: string
    amountFen: number
    receivedOn: string
    lineId: number | null
    enteredBy: number | null
    enteredAt: Date
    feeFen: Generated<number>
  }
  bankStatement: {
    payoutAccountId: number
    day: string
    readAt: Date
    isClear: Generated<boolean>
  }
  bankStatementLine: {
    id: Computed<number>
    payoutAccountId: number
    day: string
    kind: 'paid' | 'returned'
    reference: string
    bankNo: string
    amountFen: number
  }
  batchLevel: {
    placeId: number
    productId: number
    batch: string
    quantity: number
    id: Computed<number>
  }
  boardClient: {
    clientId: string
    tab: number
    seenAt: Date
    keyHash: Buffer | null
    network: Generated<string>
  }
  campaign: {
    id: Generated<number>
    merchantId: number
    name: string
    state: Generated<'draft' | 'scheduled' | 'running' | 'paused' | 'ended'>
    measure: 'sales' | 'margin' | 'pieces'
    goalPercent: number
    startsOn: string
    endsOn: string
    planIds: number[]
    controlPercent: number
    controlIds: Generated<number[]>
    beforeDays: number | null
    createdBy: number | null
    createdAt: Date
    endedAt: Date | null
    version: Generated<number>
  }
  campaignMachine: {
    campaignId: number
    machineId: number
    isControl: boolean
  }
  campaignResult: {
    campaignId: number
    measure: 'sales' | 'margin' | 'pieces'
    isControl: boolean
    machines: number
    days: number
    beforeMean: number
    duringMean: number
    changeVariance: number
    through: string
    measuredAt: Date
  }
  campaignSpan: {
    campaignId: number
    firstDay: string
    lastDay: string | null
  }
  cardApplication: {
    id: Computed<number>
    merchantId: number
    memberId: number
    kind: 'new' | 'replacement'
    type: 'ordinary' | 'student' | 'staff' | 'test' | 'gift'
    level: number
    replaces: number | null
    note: Generated<string>
    state: 'submitted' | 'approved' | 'refused' | 'withdrawn' | 'issued'
    createdBy: number
    createdAt: Date
    decidedBy: number | null
    decidedAt: Date | null
    reason: Generated<string>
    cardId: number | null
    issuedBy: number | null
    issuedAt: Date | null
    version: Generated<number>
  }
  cardDefault: {
    id: Computed<number>
    version: Generated<number>
    createdAt: Date
    merchantId: number
    type: string
    level: number
    dailyCountLimit: number
    singleMaxFen: number
    dailyAmountFen: number
  }
  cardGuess: {
    machineId: number
    misses: number
    windowEndsAt: Date
    blockedUntil: Date | null
    blocks: Generated<number>
    lastAt: Date
  }
  careRecord: {
    id: Computed<number>
    taskId: number
    corrects: number | null
    result: 'ok' | 'hold' | 'scrap'
    measures: string
    reason: Generated<string>
    quantity: number
    lowestTenths: number | null
    highestTenths: number | null
    lowestHumidityTenths: number | null
    highestHumidityTenths: number | null
    readings: number
    signedBy: number | null
    signer: string
    signedAt: Date
  }
  careTask: {
    id: Computed<number>
    batchId: number
    machineId: number | null
    placeId: number | null
    kind: 'normal' | 'key'
    keyReasons: Generated<('cold' | 'limited' | 'nearExpiry' | 'missed')[]>
    state: Generated<'open' | 'done' | 'missed' | 'gone'>
    since: string
    dueOn: string
    createdAt: Date
    endedAt: Date | null
    rank: Computed<number | null>
  }
  cashCollection: {
    id: Computed<number>
    merchantId: number
    machineId: number
    boxNo: string
    state: Generated<'taken' | 'counted' | 'settled' | 'cancelled'>
    takenAt: Date
    bookedAt: Date
    takenBy: number
    taker: string
    step: string | null
    expectedFen: number
    countedFen: number | null
    countedBy: number | null
    counter: string | null
    countedAt: Date | null
    decidedBy: number | null
    decider: string | null
    settledAt: Date | null
    note: Generated<string>
    depositId: number | null
  }
  cashDeposit: {
    id: Computed<number>
    merchantId: number
    slipNo: string
    depositedOn: string
    countedFen: number
    amountFen: number
    note: Generated<string>
    state: Generated<'entered' | 'reversed'>
    enteredBy: number
    depositor: string
    enteredAt: Date
    reversedBy: number | null
    reverser: string | null
    reversedAt: Date | null
    reason: string | null
  }
  category: {
    id: Generated<number>
    merchantId: number
    tree: 'goods' | 'medicine' | 'combination' | 'condition'
    parentId: number | null
    name: string
    picture: string | null
    remark: Generated<string>
    sort: Generated<number>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  channelExchange: {
    id: Computed<number>
    at: Date
    providerAccountId: number
    merchantId: number | null
    kind: 'offer' | 'query' | 'close' | 'refund' | 'query_refund' | 'notification' | 'bill' | 'test' | 'split' | 'query_split' | 'split_return' | 'split_receiver'
    reference: Generated<string>
    address: Generated<string>
    requestHeaders: GivenJson
    requestBody: Generated<string>
    status: number | null
    answerHeaders: GivenJson
    answerBody: Generated<string>
    outcome: 'answered' | 'refused' | 'silent' | 'forged'
    durationMs: Generated<number>
  }
  combination: {
    id: Computed<number>
    merchantId: number
    categoryId: number | null
    name: string
    priceFen: number
    note: Generated<string>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Date
  }
  combinationItem: {
    combinationId: number
    productId: number
    quantity: number
  }
  commandBatch: {
    id: string
    merchantId: number
    type: string
    data: Json
    reason: string
    createdBy: number | null
    createdAt: Date
    cancelledAt: Date | null
    seq: Computed<number>
    asked: Generated<number>
    leftOut: GivenJson
  }
  creative: {
    id: Computed<number>
    merchantId: number
    name: string
    state: Generated<'draft' | 'live' | 'turned_down' | 'withdrawn'>
    media: 'jpg' | 'png' | 'mp4' | 'webm'
    sha256: string
    bytes: number
    seconds: number
    width: number
    height: number
    preview: string | null
    advertised: 'none' | 'goods' | 'otc' | 'rx' | 'device' | 'health_food' | 'tobacco'
    approvalNo: Generated<string>
    showsWarning: Generated<boolean>
    turnedDownFor: string | null
    createdBy: number | null
    createdAt: Date
    reviewedBy: number | null
    reviewedAt: Date | null
  }
  credential: {
    userId: number
    version: number
    kdf: string
    storedKey: Buffer
    serverKey: Buffer
    keyId: string
    setAt: Date
    mustChange: Generated<boolean>
    isShipped: boolean | null
    demoMac: Buffer | null
  }
  customerCall: {
    caller: Buffer
    kind: 'look' | 'send'
    since: Date
    calls: number
  }
  customerCase: {
    id: Computed<number>
    merchantId: number
    machineId: number
    tokenHash: Buffer
    kind: 'nothing' | 'stuck' | 'wrong' | 'twice' | 'other'
    amountFen: number
    happenedAt: Date
    goods: Generated<string>
    body: Generated<string>
    language: 'zh' | 'en' | 'fr' | 'ko'
    phone: Buffer | null
    phoneHash: Buffer | null
    phoneEnd: Generated<string>
    picture: string | null
    forgottenAt: Date | null
    state: Generated<'received' | 'processing' | 'refunded' | 'answered' | 'closed' | 'reopened'>
    orderId: number | null
    sureness: number | null
    evidence: Generated<string[]>
    held: string | null
    assigneeId: number | null
    dueAt: Date | null
    closedAt: Date | null
    openSince: Date
    rank: Generated<number>
    version: Generated<number>
    createdAt: Date
  }
  customerWord: {
    id: Computed<number>
    caseId: number
    userId: number | null
    body: string
    at: Date
  }
  deviceCommand: {
    id: string
    merchantId: number
    machineId: number
    type: 'ship' | 'test_vend' | 'self_check' | 'restart_app' | 'reboot' | 'push_prices' | 'push_planogram' | 'push_template' | 'set_thermostat' | 'lock_slot' | 'unlock_slot' | 'stop_sale' | 'resume_sale' | 'open_door' | 'upload_snapshot' | 'upload_log' | 'upload_photo' | 'update_app' | 'rollback_app' | 'set_volume_or_screen' | 'push_ads' | 'push_questions' | 'recall_batch' | 'set_license_mode' | 'set_flags'
    data: Json
    state: Generated<'queued' | 'sent' | 'received' | 'done' | 'failed' | 'refused' | 'expired' | 'cancelled'>
    reason: string | null
    detail: string | null
    createdBy: number | null
    createdAt: Date
    expiresAt: Date
    sentAt: Date | null
    receivedAt: Date | null
    finishedAt: Date | null
    batchId: string | null
    result: Json | null
    seq: Computed<number>
    lateState: 'received' | 'done' | 'failed' | 'refused' | null
  }
  deviceEvent: {
    id: Computed<number>
    merchantId: number
    machineId: number
    msgId: string
    type: string
    occurredAt: Date
    receivedAt: Date
    data: Json
  }
  deviceMessage: {
    machineId: number
    msgId: string
    type: string
    contentHash: Buffer
    state: 'processed' | 'refused'
    reason: string | null
    receivedAt: Date
  }
  deviceRefusal: {
    id: Computed<number>
    machineId: number | null
    machineCode: string
    reason: string
    type: string | null
    fingerprint: string
    detail: string
    count: Generated<number>
    firstAt: Date
    lastAt: Date
  }
  dexRead: {
    id: Computed<number>
    merchantId: number
    machineId: number
    msgId: string
    kind: 'interval' | 'fill' | 'collect'
    readAt: Date
    receivedAt: Date
    fault: 'notDex' | 'noEnd' | 'lineCount' | 'checkValue' | 'wrongMachine' | null
    epoch: Generated<number>
    raw: string
    parsed: Json | null
  }
  dictionaryItem: {
    id: Computed<number>
    typeId: number
    merchantId: number | null
    code: string
    zh: string
    en: Generated<string>
    fr: Generated<string>
    ko: Generated<string>
    sort: Generated<number>
    isOn: Generated<boolean>
    version: Generated<number>
  }
  dictionaryType: {
    id: Computed<number>
    code: string
    zh: string
    en: Generated<string>
    fr: Generated<string>
    ko: Generated<string>
    remark: Generated<string>
    allowsMerchants: Generated<boolean>
    isSystem: Generated<boolean>
    sort: Generated<number>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  displayKey: {
    keyHash: Buffer
    merchantId: number
    name: string
    createdAt: Date
    revokedAt: Date | null
    id: Generated<number>
    hidesNames: Generated<boolean>
    createdBy: number | null
    revokedBy: number | null
  }
  district: {
    id: Generated<number>
    merchantId: number
    areaId: number
    name: string
    version: Generated<number>
    createdAt: Generated<Date>
  }
  doctor: {
    userId: number
    profession: 'doctor' | 'pharmacist'
    hospitalId: number | null
    department: Generated<string>
    version: Generated<number>
  }
  documentCounter: {
    merchantId: number
    prefix: string
    day: string
    last: number
  }
  eventHorizon: {
    id: Generated<number>
    number: Generated<number>
  }
  eventLog: {
    number: Computed<number>
    merchantId: number
    machineId: number | null
    kind: string
    object: string
    occurredAt: Date
    numberedAt: Date
    data: Json
  }
  eventNoted: {
    id: Computed<number>
    merchantId: number
    machineId: number | null
    kind: string
    object: string
    occurredAt: Date
    data: Json
  }
  externalResource: {
    id: Generated<number>
    code: string
    titles: Json
    url: string
    description: Generated<string>
    menuGroup: string | null
    version: Generated<number>
    createdAt: Generated<Date>
  }
  faq: {
    id: Computed<number>
    topic: 'account' | 'machine' | 'stock' | 'order' | 'money' | 'medicine' | 'other'
    place: Generated<number>
    questionZh: Generated<string>
    answerZh: Generated<string>
    questionEn: Generated<string>
    answerEn: Generated<string>
    questionFr: Generated<string>
    answerFr: Generated<string>
    questionKo: Generated<string>
    answerKo: Generated<string>
    sound: Generated<string>
    written: Computed<string[]>
    state: Generated<'draft' | 'published'>
    createdAt: Date
    version: Generated<number>
    readers: Generated<string[]>
  }
  feeRule: {
    id: Computed<number>
    merchantId: number | null
    subject: 'alipay' | 'wechat' | 'unionpay' | 'member_card' | 'other' | 'function:sale' | 'function:prescription' | 'function:lottery' | 'function:member' | 'withdrawal' | 'tax'
    ratePpm: number
    basis: 'order' | 'day'
    minFen: Generated<number>
    validFrom: string
    createdAt: Date
    createdBy: number | null
    validTo: string | null
    reason: Generated<string>
    belowMin: Generated<'raise' | 'waive'>
  }
  feedback: {
    id: Computed<number>
    merchantId: number
    userId: number
    kind: 'problem' | 'suggestion' | 'question' | 'other'
    body: string
    contact: Generated<string>
    page: Generated<string>
    state: Generated<'unprocessed' | 'processing' | 'solved' | 'deleted'>
    createdAt: Date
    version: Generated<number>
    assigneeId: number | null
    dueAt: Date | null
    isEssence: Generated<boolean>
    closedAt: Date | null
    seen: GivenJson
    fault: Generated<string>
    rank: Generated<number>
  }
  feedbackWord: {
    id: Computed<number>
    feedbackId: number
    userId: number
    kind: 'answer' | 'question' | 'solution' | 'reply' | 'reopening'
    body: string
    at: Date
  }
  fileLink: {
    tokenHash: Buffer
    file: string
    name: string
    expiresAt: Date
    folder: Generated<'exports' | 'adverts'>
  }
  fillSaid: {
    serviceId: number
    placeId: number
    productId: number
    byMachine: Generated<number>
    byPhone: Generated<number>
    isOut: Generated<boolean>
  }
  firstAdminLink: {
    tokenHash: Buffer
    expiresAt: Date
    usedAt: Date | null
  }
  flowCard: {
    id: Generated<number>
    merchantId: number
    iccid: string
    imei: Generated<string>
    imsi: Generated<string>
    phone: Generated<string>
    carrier: 'cmcc' | 'cucc' | 'ctcc' | 'other'
    type: 'standard' | 'micro' | 'nano' | 'industrial' | 'esim'
    machineId: number | null
    planMb: Generated<number>
    alarmMb: Generated<number>
    openedOn: string | null
    expiresOn: string | null
    remark: Generated<string>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  flowCounter: {
    cardId: number
    machineId: number
    counterKb: number
    at: Date
  }
  flowDay: {
    cardId: number
    day: string
    usedKb: number
  }
  flowMonth: {
    cardId: number
    month: string
    usedKb: number
  }
  goodsReceipt: {
    id: Computed<number>
    merchantId: number
    no: string
    supplierId: number
    orderId: number | null
    warehouseId: number
    state: Generated<'waiting' | 'putAway' | 'turnedDown' | 'reversed'>
    deliveryNote: Generated<string>
    note: Generated<string>
    second: Generated<('medicine' | 'noOrder')[]>
    receivedBy: number | null
    receiver: string
    receivedAt: Date
    decidedBy: number | null
    decider: string | null
    decidedAt: Date | null
    reversedAt: Date | null
    endReason: Generated<string>
  }
  goodsReceiptLine: {
    receiptId: number
    line: number
    orderLine: number | null
    productId: number
    batch: Generated<string>
    producedOn: string | null
    expiresOn: string | null
    announced: number
    counted: number
    damaged: number
    refused: number
    reason: Generated<string>
    temperatureTenths: number | null
    codes: Generated<string[]>
    priceFen: number
    packUnits: number
    costFen: number
  }
  goodsReceiptReturned: {
    receiptId: number
    line: number
    counted: number
    returned: number
  }
  handOverTicket: {
    ticketHash: Buffer
    userId: number
    openedBy: Buffer
    audience: string
    expiresAt: Date
  }
  hospital: {
    id: Generated<number>
    merchantId: number
    name: string
    level: 'iii_special' | 'iii_a' | 'iii_b' | 'iii_c' | 'ii_a' | 'ii_b' | 'ii_c' | 'i_a' | 'i_b' | 'i_c' | 'ungraded'
    province: string
    city: string
    district: Generated<string>
    address: Generated<string>
    contact: Generated<string>
    phone: Generated<string>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  hospitalDepartment: {
    hospitalId: number
    building: string
    name: string
    sort: Generated<number>
  }
  idempotencyKey: {
    userId: number
    key: string
    endpoint: string
    bodyHash: Buffer
    response: Json | null
    createdAt: Date
  }
  ingredientPair: {
    first: string
    second: string
    id: Computed<number>
    remark: Generated<string>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  integrationConfig: {
    id: Generated<number>
    merchantId: number
    machineId: number | null
    parentClass: string
    childClass: string
    interfaceType: 'push' | 'pull' | 'both'
    path: string | null
    useCount: Generated<number>
    maxCount: number | null
    state: Generated<'enabled' | 'disabled'>
    expiresOn: string | null
    contractNumber: string
    secret: Buffer | null
    secretSetAt: Date | null
    version: Generated<number>
    createdAt: Date
  }
  keptReport: {
    id: Computed<number>
    merchantId: number
    userId: number
    name: string
    list: string
    query: Json
    columns: string[]
    format: 'xlsx' | 'csv'
    language: 'zh' | 'en' | 'fr' | 'ko'
    period: 'fixed' | 'yesterday' | 'sevenBefore' | 'lastWeek' | 'thisMonth' | 'lastMonth' | 'thirtyBefore'
    cadence: 'never' | 'daily' | 'weekly' | 'monthly'
    atHour: number
    nextAt: Date | null
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Date
  }
  keptReportRole: {
    keptReportId: number
    roleId: number
  }
  layerDoubt: {
    placeId: number
    productId: number
    reason: 'otherBatch' | 'lateFill' | 'count' | 'mixed'
    since: Date
  }
  layerTaken: {
    id: Computed<number>
    movedAt: Date
    placeId: number
    productId: number
    taken: string | null
    named: string | null
    quantity: number
    cause: string
    reference: string
  }
  ledgerAccount: {
    id: Computed<number>
    kind: 'clearing' | 'channel_balance' | 'payout_in_transit' | 'bank' | 'pending' | 'available' | 'withdrawing' | 'fees' | 'channel_fee' | 'suspense' | 'cash_in_machine' | 'cash_in_transit' | 'cash_counted' | 'cash_owned' | 'card_liability' | 'gift_liability' | 'card_due' | 'coupon_cost' | 'split_payable' | 'tax_payable' | 'loss' | 'goods' | 'supplier_due' | 'price_difference'
    merchantId: number
    key: Generated<string>
    balanceFen: Generated<number>
    bound: Generated<number>
  }
  ledgerDay: {
    day: string
    closedAt: Date
    sealedAt: Date | null
    entries: number | null
    debitFen: number | null
    previous: Buffer | null
    hash: Buffer | null
  }
  ledgerEntry: {
    merchantId: number
    postedAt: Date
    transferId: number
    accountId: number
    amountFen: number
  }
  ledgerTransfer: {
    id: Computed<number>
    kind: 'sale' | 'refund' | 'fee' | 'settlement' | 'withdrawal' | 'card_top_up' | 'card_gift' | 'card_move' | 'card_settlement' | 'loss' | 'statement' | 'channel_fee' | 'payout' | 'bank_receipt' | 'decision' | 'write_off' | 'adjustment' | 'cash' | 'reversal' | 'card_payout' | 'goods_receipt' | 'supplier_invoice' | 'supplier_payment' | 'supplier_return' | 'split'
    reference: string
    merchantId: number
    postedAt: Date
    businessDay: string
    adjusts: string | null
  }
  libraryBarcode: {
    gtin: Computed<string>
    code: string
    itemId: number
    packUnits: Generated<number>
  }
  libraryItem: {
    id: Generated<number>
    kind: Generated<'goods' | 'medicine'>
    name: string
    sound: Generated<string>
    brand: Generated<string>
    specification: Generated<string>
    unit: Generated<string>
    manufacturer: Generated<string>
    category: Generated<string>
    picture: string | null
    pictures: Generated<string[]>
    remark: Generated<string>
    state: 'pending_with_picture' | 'pending_without_picture' | 'checked' | 'ignored'
    merchantId: number | null
    productId: number | null
    offeredBy: number | null
    mergedInto: number | null
    reviewedBy: number | null
    reviewedAt: Date | null
    reason: Generated<string>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  licence: {
    id: Generated<number>
    merchantId: number
    holderKind: 'merchant' | 'pharmacy' | 'doctor' | 'site'
    kind: 'business' | 'medicine_trade' | 'gsp' | 'food_trade' | 'medical_device' | 'doctor_practice' | 'pharmacist_practice' | 'site_filing'
    number: string
    holder: string
    userId: number | null
    machineId: number | null
    issuedBy: string
    validFrom: string
    validTo: string | null
    pictures: Generated<string[]>
    remark: Generated<string>
    revokedAt: Date | null
    revokeReason: string | null
    version: Generated<number>
    createdAt: Date
  }
  licenceTerm: {
    id: Computed<number>
    licenceId: number
    number: string
    issuedBy: string
    validFrom: string
    validTo: string | null
    pictures: string[]
    replacedAt: Date
    replacedBy: number
  }
  lotteryClaim: {
    id: Computed<number>
    merchantId: number
    playId: number
    claimant: string
    phone: Generated<string>
    note: string
    pictures: string[]
    state: Generated<'pending' | 'passed' | 'rejected'>
    createdBy: number
    createdAt: Date
    reviewedBy: number | null
    reviewedAt: Date | null
    reviewNote: Generated<string>
    placeId: number | null
  }
  lotteryPlay: {
    id: number
    orderNo: string
    merchantId: number
    machineId: number
    productId: number
    slotCode: string
    seriesId: number
    businessDay: string
    oddsPermille: number
    stakeFen: number
    prizeFen: number
    costFen: number
    state: Generated<'opened' | 'won' | 'lost' | 'void'>
    number: number | null
    prizeState: Generated<'none' | 'shipping' | 'dispensed' | 'owed' | 'collected'>
    openedAt: Date
    drawnAt: Date | null
    prizeCodeDigest: Buffer | null
  }
  lotteryRedemption: {
    id: Computed<number>
    playId: number
    merchantId: number
    redeemedBy: number
    redeemedAt: Date
    placeId: number | null
  }
  lotterySeries: {
    id: Computed<number>
    merchantId: number
    machineId: number
    businessDay: string
    seedHash: string
    sealedSeed: Buffer
    seed: string | null
    committedAt: Date
    revealedAt: Date | null
  }
  machine: {
    id: Generated<number>
    merchantId: number
    pointId: number
    code: string
    name: string
    category: 'drink' | 'snack' | 'combo' | 'medicine'
    model: Generated<string>
    manufacturer: Generated<string>
    licenceMode: Generated<'none' | 'retail' | 'hospital'>
    timeZone: Generated<string>
    operation: Generated<'in_operation' | 'stopped'>
    autoRefund: Generated<boolean>
    temperatureMinC: number | null
    temperatureMaxC: number | null
    secretHash: Buffer
    secretRotatedAt: Date | null
    deployedAt: Date | null
    createdAt: Generated<Date>
    routeId: number | null
    routeOrder: Generated<number>
    operatorId: number | null
    country: Generated<string>
    picture: string | null
    cabinetCount: Generated<number>
    slotMode: Generated<'spiral' | 'belt' | 'pusher' | 'locker'>
    deployerId: number | null
    shipsAfterJam: Generated<boolean>
    locksStock: Generated<boolean>
    shipsDirectly: Generated<boolean>
    softwareVersion: Generated<string>
    hardwareVersion: Generated<string>
    manufacturedOn: string | null
    warrantyUntil: string | null
    humidityMin: number | null
    humidityMax: number | null
    thermostat: Json | null
    flowAlarmMb: Generated<number>
    lotteryPermille: Generated<number>
    upliftPermille: Generated<number>
    retiredAt: Date | null
    version: Generated<number>
    updatedAt: Generated<Date>
    thermostatTold: Json | null
    planVersion: Generated<number>
    licenceModeTold: string
    cabinetType: Generated<'ambient' | 'cooled' | 'frozen' | 'heated'>
    operationTold: 'in_operation' | 'stopped'
    flagsTold: GivenJson
  }
  machineAdDay: {
    machineId: number
    businessDay: string
    ad: string
    plays: number
    seconds: number
  }
  machineGrantLog: {
    id: Computed<number>
    at: Date
    byUserId: number
    action: 'grant' | 'revoke'
    grantee: 'merchant' | 'organisation' | 'user'
    granteeId: number
    endsAt: Date | null
    machineIds: number[]
  }
  machineGrantMerchant: {
    machineId: number
    merchantId: number
    grantedAt: Generated<Date>
    grantedBy: number | null
    endsAt: Date | null
  }
  machineGrantOrganisation: {
    machineId: number
    organisationId: number
    grantedAt: Generated<Date>
    grantedBy: number | null
    endsAt: Date | null
  }
  machineGrantUser: {
    machineId: number
    userId: number
    grantedAt: Generated<Date>
    grantedBy: number | null
    endsAt: Date | null
  }
  machineGroup: {
    id: Generated<number>
    merchantId: number
    name: string
    remark: Generated<string>
    sort: Generated<number>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  machineGroupMember: {
    groupId: number
    machineId: number
    addedAt: Generated<Date>
  }
  machineLog: {
    id: Computed<number>
    machineId: number
    at: Date
    level: 'debug' | 'info' | 'warn' | 'error'
    lines: string[]
  }
  machineOwned: {
    merchantId: number
    machineId: number
  }
  machineQuestions: {
    machineId: number
    version: number
    commandId: string
    askedAt: Date
    reportedVersion: number | null
  }
  machineRetirement: {
    id: Computed<number>
    machineId: number
    beganAt: Date
    endedAt: Date | null
  }
  machineSeq: {
    machineId: number
    bootId: string
    topSeq: number
    previousBoot: string | null
    returns: Generated<number>
    returnedAt: Date | null
  }
  machineState: {
    machineId: number
    lastSeenAt: Date | null
    isConnected: Generated<boolean>
    bootId: string | null
    lastSeq: number | null
    appVersion: string | null
    boardVersion: string | null
    temperatureC: number | null
    doorOpen: boolean | null
    lowChange: Generated<boolean>
    faults: Generated<string[]>
    clockSkewMs: number | null
    snapshot: Json | null
    snapshotAt: Date | null
    slotCount: Generated<number>
    emptySlots: Generated<number>
    lowSlots: Generated<number>
    humidity: number | null
    signalDbm: number | null
    network: string | null
    flowUsedMb: number | null
    beatAt: Date | null
    temperatureMinC: number | null
    temperatureMaxC: number | null
    worst: Computed<number | null>
    temperatureAt: Date | null
    humidityAt: Date | null
  }
  machineStood: {
    pointId: number
    machineId: number
  }
  machineTest: {
    id: Computed<number>
    merchantId: number
    machineId: number
    scope: 'slot' | 'layer' | 'all'
    putsBack: boolean
    reason: string
    state: Generated<'running' | 'passed' | 'failed' | 'stopped'>
    startedBy: number | null
    startedAt: Date
    endedAt: Date | null
    note: Generated<string>
  }
  machineTestSlot: {
    testId: number
    place: number
    slotId: number
    slotCode: string
    productId: number | null
    commandId: string | null
    state: Generated<'waiting' | 'running' | 'passed' | 'failed' | 'skipped'>
    motorCode: string | null
    sensorCode: string | null
    durationMs: number | null
    detail: string | null
    endedAt: Date | null
  }
  markdown: {
    id: Computed<number>
    merchantId: number
    productId: number
    batchId: number | null
    paidPercent: number
    state: Generated<'planned' | 'active' | 'ended' | 'stopped'>
    isEverywhere: boolean
    startsAt: Date
    endsAt: Date | null
    reason: Generated<string>
    createdBy: number | null
    createdAt: Date
    endedAt: Date | null
    version: Generated<number>
  }
  markdownDue: {
    id: Computed<number>
    slotId: number
    productId: number
  }
  markdownMachine: {
    markdownId: number
    machineId: number
  }
  markdownSlot: {
    id: Computed<number>
    markdownId: number
    slotId: number
    beganAt: Date
    endedAt: Date | null
  }
  medicine: {
    productId: number
    approvalNumber: Generated<string>
    dosageForm: Generated<string>
    ingredients: Generated<string[]>
    limitGroup: string | null
    storage: Generated<'room' | 'cool' | 'cold'>
    doseUnit: Generated<string>
    unitsPerPack: Generated<number>
    maxDailyUnits: number | null
    maxDays: number | null
    minAge: number | null
    notFor: Generated<('pregnant' | 'lactating' | 'liver' | 'kidney')[]>
  }
  medicineBatch: {
    id: Computed<number>
    productId: number
    number: string
    producedOn: string | null
    expiresOn: string
    state: Generated<'available' | 'locked' | 'recalled' | 'rejected'>
    reason: Generated<string>
    changedBy: number | null
    changedAt: Date
    version: Generated<number>
    createdBy: number | null
    createdAt: Generated<Date>
  }
  medicineBatchEvent: {
    id: Computed<number>
    batchId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  medicineOffer: {
    id: Computed<number>
    merchantId: number
    productId: number
    priceFen: number | null
    remark: Generated<string>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Date
  }
  medicineTracePrefix: {
    productId: number
    level: 'pack' | 'middle' | 'case'
    prefix: string
  }
  member: {
    id: Generated<number>
    number: string
    name: string
    phone: Generated<string>
    address: Generated<string>
    parentName: Generated<string>
    region: Generated<string>
    state: Generated<'active' | 'stopped' | 'erased'>
    merchantId: number
    registeredAt: Date
    version: Generated<number>
    birthday: string | null
    level: Generated<number>
    tags: Generated<string[]>
    unitId: number | null
    consentedBy: 'self' | 'guardian' | null
    consentedAt: Date | null
    erasedAt: Date | null
    sound: Generated<string>
  }
  memberCard: {
    id: Generated<number>
    merchantId: number
    memberId: number | null
    physicalNo: string
    logicalNo: string
    type: Generated<'ordinary' | 'student' | 'staff' | 'test' | 'gift'>
    level: Generated<number>
    state: Generated<'not_activated' | 'active' | 'locked' | 'lost' | 'cancelling' | 'cancelled'>
    dailyCountLimit: Generated<number>
    singleMaxFen: Generated<number>
    dailyAmountFen: Generated<number>
    isRestricted: Generated<boolean>
    replacedBy: number | null
    createdAt: Date
    activatedAt: Date | null
    version: Generated<number>
    activationDigest: Buffer | null
    cancelWhy: 'issuer' | 'holder' | null
    cancelAskedBy: number | null
    cancelAskedAt: Date | null
  }
  memberCardCharge: {
    orderId: number
    cardId: number
    merchantId: number
    machineId: number
    businessDay: string
    balanceFen: number
    giftFen: number
    creditedBalanceFen: Generated<number>
    creditedGiftFen: Generated<number>
    chargedAt: Date
  }
  memberCardCredit: {
    refundId: number
    orderId: number
    balanceFen: number
    giftFen: number
    creditedAt: Date
    cardId: number
  }
  memberCardLog: {
    id: Computed<number>
    cardId: number
    merchantId: number
    action: 'issued' | 'activated' | 'bound' | 'unbound' | 'locked' | 'unlocked' | 'lost' | 'recovered' | 'limits' | 'replaced' | 'replacement' | 'cancelAsked' | 'kept' | 'cancelled' | 'toppedUp' | 'reversed' | 'paid' | 'credited' | 'paidOut'
    at: Date
    userId: number | null
    transferKind: string | null
    reference: string | null
    note: Generated<string>
  }
  memberCardMachine: {
    cardId: number
    machineId: number
  }
  memberCardPayout: {
    id: Computed<number>
    cardId: number
    merchantId: number
    why: 'issuer' | 'holder'
    balanceFen: number
    giftFen: number
    paidFen: number
    method: 'cash' | 'transfer'
    note: Generated<string>
    paidBy: number | null
    paidAt: Date
  }
  memberCardReversal: {
    topUpId: number
    cardId: number
    merchantId: number
    balanceFen: number
    giftFen: number
    paidFen: number
    reason: string
    reversedBy: number
    reversedAt: Date
  }
  memberCardTopUp: {
    id: Generated<number>
    cardId: number
    merchantId: number
    method: 'alipay' | 'wechat' | 'unionpay' | 'other' | 'cash' | 'transfer'
    amountFen: number
    giftFen: Generated<number>
    toppedUpBy: number | null
    toppedUpAt: Date
    note: Generated<string>
  }
  memberMerchant: {
    id: Computed<number>
    memberId: number
    merchantId: number
    linkedAt: Date
    linkedBy: number | null
    unlinkedAt: Date | null
    unlinkedBy: number | null
    movedTo: number | null
    reason: Generated<string>
  }
  memberUnit: {
    id: Generated<number>
    merchantId: number
    parentId: number | null
    kind: 'school' | 'grade' | 'class' | 'company' | 'department' | 'other'
    name: string
    createdAt: Generated<Date>
    version: Generated<number>
  }
  menuChange: {
    merchantId: number
    key: string
    parent: string | null
    titles: GivenJson
    icon: string | null
    sort: number | null
    isHidden: boolean | null
    version: Generated<number>
  }
  merchant: {
    id: Generated<number>
    parentId: number | null
    code: string
    name: string
    type: 'platform' | 'ordinary' | 'product' | 'pharmaceutical'
    state: Generated<'active' | 'stopped'>
    collectsPayment: Generated<boolean>
    singleSession: Generated<boolean>
    timeZone: Generated<string>
    path: number[]
    createdAt: Generated<Date>
    version: Generated<number>
    contact: Generated<string>
    phone: Generated<string>
    address: Generated<string>
    servicePhone: Generated<string>
    category: Generated<string>
    tags: Generated<string>
    pickupCodeLimit: number | null
    exchangeRate: Generated<number>
    hasHighGo: Generated<boolean>
    hasPharmacy: Generated<boolean>
    hasShopping: Generated<boolean>
    sellsWhenStopped: Generated<boolean>
    stoppedAt: Date | null
    adminUserId: number | null
    currency: string | null
  }
  messageGap: {
    id: Computed<number>
    machineId: number
    bootId: string
    firstSeq: number
    lastSeq: number
    openedAt: Date
    endedAt: Date | null
    isFilled: Generated<boolean>
  }
  messageType: {
    id: Computed<number>
    code: string
    name: Json
    title: Json
    body: Json
    variables: Generated<string[]>
    channels: string[]
    canWait: Generated<boolean>
    isOn: Generated<boolean>
    isSystem: Generated<boolean>
    isRequired: Generated<boolean>
    smsTemplate: string | null
    version: Generated<number>
    createdAt: Generated<Date>
  }
  notification: {
    id: Computed<number>
    merchantId: number
    typeId: number
    title: string
    body: string
    translations: GivenJson
    channels: string[]
    target: 'all' | 'merchants' | 'roles'
    withChildren: Generated<boolean>
    state: Generated<'draft' | 'scheduled' | 'sending' | 'sent' | 'withdrawn'>
    scheduledAt: Date | null
    publishedAt: Date | null
    finishedAt: Date | null
    lastUserId: Generated<number>
    expected: Generated<number>
    receivers: Generated<number>
    readCount: Generated<number>
    createdBy: number
    createdAt: Date
    version: Generated<number>
  }
  notificationReceiver: {
    notificationId: number
    userId: number
    sentAt: Date
    readAt: Date | null
    reminders: Generated<number>
    remindedAt: Date | null
  }
  notificationTarget: {
    notificationId: number
    merchantId: number | null
    roleId: number | null
  }
  offerDue: {
    id: Computed<number>
    slotId: number
  }
  officialAccount: {
    id: Generated<number>
    merchantId: number
    platform: 'wechat_account' | 'wechat_mini' | 'alipay_life' | 'alipay_mini'
    name: string
    appId: string
    sealedSecret: Buffer | null
    link: string
    mustFollow: Generated<boolean>
    templates: GivenJson
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Generated<Date>
    address: Generated<string>
    notifyKey: Generated<string>
    sealedToken: Buffer | null
    sealedAccess: Buffer | null
    accessUntil: Date | null
  }
  officialAccountMachine: {
    machineId: number
    platform: string
    accountId: number
  }
  orderItem: {
    merchantId: number
    occurredAt: Date
    orderId: number
    index: number
    slotId: number
    productId: number
    listPriceFen: number
    priceFen: number
    state: 'waiting' | 'dispensed' | 'jammed' | 'failed' | 'no_answer'
    motorCode: string | null
    sensorCode: string | null
    batch: string | null
    traceCode: string | null
    shippedAt: Date | null
    costFen: number
    durationMs: number | null
    attempts: number | null
    redeliveredAt: Date | null
    wrong: 'notLawful' | 'prescriptionMissing' | 'batchNotForSale' | 'productUnknown' | 'slotHoldsOther' | 'traceSoldTwice' | null
  }
  orderNumber: {
    orderNo: string
    orderId: Computed<number>
    merchantId: number
    machineId: number
    occurredAt: Date
  }
  orderPayer: {
    orderId: number
    accountId: number
    merchantId: number
    occurredAt: Date
    openId: string
    told: Generated<string[]>
    keptAt: Date
  }
  orderPriceStep: {
    orderId: number
    index: number
    step: number
    kind: 'markdown' | 'combination' | 'plan' | 'coupon' | 'code'
    reference: number
    beforeFen: number
    afterFen: number
    reason: string
  }
  orders: {
    id: number
    merchantId: number
    machineId: number
    orderNo: string
    machineOrderNo: string
    businessType: 'sale' | 'pickup' | 'prescription' | 'lottery' | 'member'
    method: 'alipay' | 'wechat' | 'unionpay' | 'pickup_code' | 'member_card' | 'cash' | 'other'
    paymentState: 'unpaid' | 'paid' | 'refunding' | 'refunded' | 'partly_refunded' | 'closed'
    shipState: 'in_transit' | 'completed' | 'timeout' | 'invalid' | 'lottery_won' | 'lottery_lost'
    orderState: 'open' | 'done' | 'closed'
    problem: 'undelivered' | 'no_answer' | 'late_result' | 'amount_mismatch' | 'paid_late' | 'dispensed_after_refund' | 'unlawful_sale' | 'goods_differ' | 'sold_twice' | null
    isLottery: Generated<boolean>
    isOffline: Generated<boolean>
    itemCount: number
    totalFen: number
    discountFen: Generated<number>
    paidFen: Generated<number>
    refundedFen: Generated<number>
    thirdPartyNo: string | null
    occurredAt: Date
    receivedAt: Date
    businessDay: string
    paidAt: Date | null
    shipSentAt: Date | null
    shipReceivedAt: Date | null
    finishedAt: Date | null
    prescriptionCode: string | null
    tenderCode: string | null
    heldFen: Generated<number>
    pointId: number
  }
  organisation: {
    id: Generated<number>
    merchantId: number
    parentId: number | null
    name: string
    kind: Generated<'department' | 'team' | 'operator'>
    state: Generated<'active' | 'stopped'>
    path: number[]
    sort: Generated<number>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  outboundLine: {
    outboundId: number
    line: number
    productId: number
    quantity: number
  }
  outboundOrder: {
    id: Computed<number>
    merchantId: number
    no: string
    warehouseId: number
    bagId: number
    state: Generated<'draft' | 'picked' | 'loaded' | 'closed' | 'cancelled'>
    note: Generated<string>
    madeBy: number | null
    maker: string
    madeAt: Date
    picker: string | null
    pickedAt: Date | null
    loader: string | null
    loadedAt: Date | null
    ender: string | null
    endedAt: Date | null
    endReason: Generated<string>
    version: Generated<number>
  }
  outboundPick: {
    outboundId: number
    productId: number
    batch: Generated<string>
    quantity: number
  }
  outboundReturn: {
    outboundId: number
    productId: number
    batch: Generated<string>
    quantity: number
  }
  outboxMessage: {
    id: Computed<number>
    type: string
    channel: 'web' | 'sms' | 'email' | 'app' | 'wechat'
    merchantId: number
    userId: number | null
    receiver: Generated<string>
    title: Generated<string>
    body: Generated<string>
    sealedBody: Buffer | null
    reference: string | null
    state: Generated<'waiting' | 'sent' | 'failed' | 'held' | 'withdrawn'>
    tries: Generated<number>
    nextTryAt: Date
    provider: string | null
    error: string | null
    createdAt: Date
    sentAt: Date | null
    readAt: Date | null
    vars: Json | null
    isSecret: Generated<boolean>
    isAlarm: Computed<boolean>
    notificationId: number | null
    accountId: number | null
  }
  partnerCallback: {
    id: Computed<number>
    requestId: number
    eventId: Generated<string>
    event: 'shipment.ended' | 'shipment.corrected'
    state: Generated<'waiting' | 'delivered' | 'failed'>
    body: string | null
    tries: Generated<number>
    nextTryAt: Date | null
    createdAt: Date
    deliveredAt: Date | null
    askedBy: number | null
  }
  partnerNonce: {
    configId: number
    nonce: string
    seenAt: Date
  }
  partnerRate: {
    configId: number
    minute: Date
    calls: number
  }
  partnerRequest: {
    id: Computed<number>
    configId: number
    merchantId: number
    machineId: number
    requestNo: string
    bodyHash: Buffer
    body: string
    answer: Json
    orderId: number
    orderNo: string
    ip: Generated<string>
    createdAt: Date
  }
  partnerTry: {
    id: Computed<number>
    callbackId: number
    at: Date
    address: string
    status: number | null
    problem: string | null
    answer: Generated<string>
    durationMs: number
    userId: number | null
  }
  payable: {
    id: Computed<number>
    merchantId: number
    supplierId: number
    receiptId: number | null
    amountFen: number
    dueOn: string
    bookedAt: Date
    claimedFen: Generated<number>
    paidFen: Generated<number>
    reversedAt: Date | null
    openFen: Computed<number>
    kind: Generated<'receipt' | 'difference' | 'return'>
    invoiceId: number | null
    returnId: number | null
  }
  paymentAccount: {
    id: Generated<number>
    merchantId: number
    provider: 'alipay' | 'wechat' | 'unionpay'
    providerAccountId: number
    machineId: number | null
    products: Generated<string[]>
    subMerchantNo: Generated<string>
    paymentTitle: Generated<string>
    bank: Generated<string>
    accountName: Generated<string>
    receivingSealed: Buffer | null
    receivingTail: Generated<string>
    fundsMode: 'direct' | 'profit_share' | 'custody' | 'demo'
    state: Generated<'preparing' | 'activated' | 'stopped'>
    publishAt: Date | null
    activatedAt: Date | null
    activatedBy: number | null
    stoppedAt: Date | null
    stopReason: Generated<string>
    copiedFrom: number | null
    version: Generated<number>
    createdAt: Generated<Date>
    publishFault: Generated<string>
    replacedBy: number | null
  }
  paymentAttempt: {
    id: Generated<number>
    attemptNo: string
    orderId: number
    orderNo: string
    occurredAt: Date
    merchantId: number
    machineId: number
    accountId: number
    method: 'alipay' | 'wechat' | 'unionpay'
    product: 'native' | 'barcode'
    amountFen: number
    paidFen: number | null
    state: Generated<'created' | 'waiting' | 'unknown' | 'paid' | 'closed' | 'failed'>
    channelNo: string | null
    payUrl: string | null
    payCodeSealed: Buffer | null
    msgId: string
    businessDay: string
    tries: Generated<number>
    fault: string | null
    createdAt: Date
    expiresAt: Date
    askedAt: Date | null
    queriedAt: Date | null
    paidAt: Date | null
    closedAt: Date | null
    splitRuleId: number | null
  }
  paymentService: {
    id: Generated<number>
    provider: 'alipay' | 'wechat' | 'unionpay'
    product: 'native' | 'barcode'
    isOn: Generated<boolean>
    note: Generated<string>
    version: Generated<number>
    changedBy: number | null
    changedAt: Date | null
    acquirerId: number | null
  }
  payoutAccount: {
    id: Computed<number>
    merchantId: number
    fundsMode: 'custody' | 'demo'
    holder: string
    bank: string
    customerNo: string
    address: string
    secret: Buffer
    isOn: boolean
    version: Generated<number>
    changedAt: Date
  }
  phoneCode: {
    phone: string
    codeMac: Buffer
    failures: Generated<number>
    expiresAt: Date
  }
  pickupBatch: {
    id: Generated<number>
    merchantId: number
    description: string
    pickupsAllowed: Generated<number>
    scope: 'all' | 'machines' | 'points' | 'groups'
    count: number
    made: Generated<number>
    state: Generated<'making' | 'ready' | 'stopped'>
    isValid: Generated<boolean>
    expiresAt: Date
    createdBy: number | null
    createdAt: Date
    cancelledAt: Date | null
    cancelledBy: number | null
    cancelReason: Generated<string>
    isDue: Generated<boolean>
  }
  pickupCode: {
    id: Generated<number>
    batchId: number
    merchantId: number
    serial: number
    digest: Buffer
    sealed: Buffer
    tail: string
    state: Generated<'unused' | 'in_use' | 'partly_shipped' | 'fully_shipped' | 'used' | 'expired' | 'cancelled' | 'invalid' | 'logged_out'>
    expiresAt: Date
    pieces: number
    shipped: Generated<number>
    taken: Generated<number[]>
    heldBy: number | null
    createdAt: Date
    endedAt: Date | null
    endedBy: number | null
    reason: Generated<string>
  }
  pickupContent: {
    batchId: number
    position: number
    productId: number
  }
  pickupGuess: {
    machineId: number
    misses: number
    windowEndsAt: Date
    blockedUntil: Date | null
    blocks: Generated<number>
    lastAt: Date
  }
  pickupPlace: {
    id: Generated<number>
    batchId: number
    machineId: number | null
    pointId: number | null
    groupId: number | null
  }
  pickupRefusal: {
    id: Generated<number>
    codeId: number
    machineId: number
    orderNo: string
    reason: 'codeSpent' | 'codeExpired' | 'codeElsewhere' | 'codeInvalid' | 'contentDiffers'
    refusedAt: Date
  }
  pickupRelease: {
    id: Generated<number>
    batchId: number
    userId: number
    use: 'print' | 'export' | 'reveal'
    fromSerial: number
    toSerial: number
    releasedAt: Date
    endsAt: Date
  }
  pickupUse: {
    orderId: number
    codeId: number
    merchantId: number
    machineId: number
    orderNo: string
    pickup: number
    asked: number[]
    out: Generated<number[]>
    extra: Generated<number>
    heldAt: Date
    settledAt: Date | null
    lateAt: Date | null
  }
  pictureUpload: {
    id: Computed<number>
    name: string
    merchantId: number
    uploadedBy: number
    uploadedAt: Date
    bytes: number
    width: number
    height: number
  }
  place: {
    id: Generated<number>
    merchantId: number
    kind: 'supplier' | 'unbooked' | 'warehouse' | 'transit' | 'replenisher' | 'slot' | 'customer' | 'scrap'
    name: Generated<string>
    holds: Computed<boolean | null>
  }
  point: {
    id: Generated<number>
    merchantId: number
    name: string
    kind: 'hospital' | 'store' | 'campus' | 'school' | 'kindergarten' | 'station' | 'office'
    province: string
    city: string
    address: string
    longitude: number
    latitude: number
    hospitalId: number | null
    districtId: number | null
    building: Generated<string>
    floor: Generated<string>
    contact: Generated<string>
    phone: Generated<string>
    rentFen: Generated<number>
    remark: Generated<string>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  pointRent: {
    pointId: number
    fromDay: string
    rentFen: number
  }
  prescription: {
    id: Computed<number>
    code: string
    merchantId: number
    state: Generated<'draft' | 'submitted' | 'approved' | 'rejected' | 'dispensed' | 'expired' | 'cancelled'>
    doctorId: number
    hospitalId: number | null
    department: Generated<string>
    patientSealed: Buffer
    patientMasked: string
    patientNameHash: Buffer
    patientIdMasked: Generated<string>
    patientIdHash: Buffer | null
    sex: 'female' | 'male' | 'unknown'
    birthYear: number
    patientFacts: Generated<('pregnant' | 'lactating' | 'liver' | 'kidney')[]>
    allergies: Generated<string[]>
    condition: string
    advice: Generated<string>
    uses: Generated<number>
    intervalDays: Generated<number>
    usesOpened: Generated<number>
    lastDispensedAt: Date | null
    amendedFrom: number | null
    createdAt: Date
    submittedAt: Date | null
    expiresAt: Date
    reviewedBy: number | null
    reviewedAt: Date | null
    reviewedHash: Buffer | null
    version: Generated<number>
  }
  prescriptionEvent: {
    id: Computed<number>
    prescriptionId: number
    verb: 'write' | 'edit' | 'submit' | 'approve' | 'reject' | 'cancel' | 'expire' | 'amend' | 'release' | 'print'
    at: Date
    userId: number | null
    reason: Generated<string>
    contentHash: Buffer | null
    signature: Buffer | null
    licenceNumber: Generated<string>
    warnings: GivenJson
  }
  prescriptionFill: {
    orderId: number
    prescriptionId: number
    merchantId: number
    machineId: number
    occurredAt: Date
    businessDay: string
    doctorId: number
    hospitalId: number | null
    isDispensed: Generated<boolean>
    settledAt: Date | null
  }
  prescriptionFillItem: {
    orderId: number
    index: number
    productId: number
    priceFen: number
    state: Generated<'held' | 'unknown' | 'dispensed' | 'free'>
    batch: string | null
    traceCode: string | null
  }
  prescriptionGuess: {
    machineId: number
    misses: number
    windowEndsAt: Date
    blockedUntil: Date | null
    blocks: Generated<number>
    lastAt: Date
  }
  prescriptionItem: {
    prescriptionId: number
    index: number
    productId: number
    quantity: number
    dose: number
    timesADay: number
    days: number
    usage: Generated<string>
    allowed: Generated<number>
    held: Generated<number>
    dispensed: Generated<number>
    excess: Generated<number>
  }
  priceAdvice: {
    id: Computed<number>
    merchantId: number
    productId: number
    verdict: 'raise' | 'cut' | 'keep' | 'notEnough'
    lacking: 'prices' | 'machines' | 'sales' | null
    nowFen: number
    advisedFen: number | null
    costFen: number
    gainFen: number
    lowFen: number | null
    highFen: number | null
    elasticity: number | null
    elasticityLow: number | null
    elasticityHigh: number | null
    machines: number
    prices: number
    pieces: number
    demand: Json
    computedAt: Date
  }
  priceChange: {
    id: Computed<number>
    merchantId: number
    state: Generated<'draft' | 'applying' | 'applied' | 'undoing' | 'undone' | 'discarded'>
    rule: 'set' | 'raise' | 'cut' | 'raisePercent' | 'cutPercent'
    amountFen: number | null
    percent: number | null
    roundTo: 'fen' | 'jiao' | 'half'
    scope: 'all' | 'group' | 'route' | 'machines'
    scopeName: Generated<string>
    products: string
    productCount: number
    changesProducts: boolean
    reason: string
    createdBy: number
    createdAt: Date
    appliedBy: number | null
    appliedAt: Date | null
    undoneBy: number | null
    undoneAt: Date | null
    version: Generated<number>
  }
  priceChangeMachine: {
    changeId: number
    machineId: number
    setCommand: string | null
    undoCommand: string | null
    isWaiting: Generated<boolean>
  }
  priceChangeProduct: {
    changeId: number
    productId: number
    beforeFen: number
    afterFen: number
    state: Generated<'planned' | 'skipped' | 'set' | 'undone' | 'kept'>
  }
  priceChangeSlot: {
    id: Computed<number>
    changeId: number
    machineId: number
    slotId: number
    slotCode: string
    productId: number
    beforeFen: number | null
    afterFen: number | null
    state: Generated<'planned' | 'skipped' | 'set' | 'undone' | 'kept'>
    why: 'same' | 'unlawful' | 'machineUnlawful' | 'offline' | 'noPrice' | 'tooLow' | 'tooHigh' | 'meanwhile' | 'unseen' | null
    isNext: Generated<boolean>
  }
  priceTrial: {
    id: Computed<number>
    merchantId: number
    productId: number
    state: Generated<'running' | 'ended' | 'stopped' | 'undone'>
    fromFen: number
    toFen: number
    stopPercent: number
    startsOn: string
    endsOn: string
    beforeDays: number
    changeId: number
    startedBy: number | null
    createdAt: Date
    endedAt: Date | null
  }
  priceTrialMachine: {
    trialId: number
    machineId: number
    isControl: boolean
  }
  priceTrialResult: {
    trialId: number
    isControl: boolean
    machines: number
    days: number
    beforeMean: number
    duringMean: number
    changeVariance: number
    through: string
  }
  problemCase: {
    id: Computed<number>
    orderId: number
    merchantId: number
    occurredAt: Date
    machineId: number
    kind: 'undelivered' | 'no_answer' | 'late_result' | 'amount_mismatch' | 'paid_late' | 'dispensed_after_refund' | 'unlawful_sale' | 'goods_differ' | 'sold_twice'
    state: Generated<'open' | 'asked' | 'closed'>
    openedAt: Date
    askedBy: number | null
    askedAt: Date | null
    outcome: 'refunded' | 'redelivered' | 'confirmed' | 'settled' | null
    reason: Generated<string>
    closedBy: number | null
    closedAt: Date | null
    version: Generated<number>
  }
  product: {
    id: Generated<number>
    merchantId: number
    code: string
    name: string
    brand: Generated<string>
    specification: Generated<string>
    unit: Generated<string>
    manufacturer: Generated<string>
    kind: 'goods' | 'medicine'
    medicineClass: 'rx' | 'otc_a' | 'otc_b' | null
    costFen: number
    priceFen: number
    picture: string | null
    state: Generated<'online' | 'offline'>
    isUnknown: Generated<boolean>
    categoryId: number | null
    externalCode: Generated<string>
    isJointVenture: Generated<boolean>
    shelfLifeDays: number | null
    producedOn: string | null
    bestBefore: string | null
    tags: Generated<string[]>
    pictures: Generated<string[]>
    remark: Generated<string>
    sound: Generated<string>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  productBarcode: {
    merchantId: number
    code: string
    productId: number
    packUnits: Generated<number>
  }
  productCondition: {
    productId: number
    categoryId: number
  }
  productOrigin: {
    productId: number
    itemId: number
    version: number
    seen: Json
  }
  productPrice: {
    id: Computed<number>
    productId: number
    costFen: number
    priceFen: number
    changedBy: number | null
    changedAt: Date
    reason: Generated<string>
  }
  promotionPlan: {
    id: Generated<number>
    merchantId: number
    name: string
    state: Generated<'not_listed' | 'listed' | 'paused' | 'ended'>
    versionId: number | null
    createdBy: number | null
    createdAt: Date
    endedAt: Date | null
    version: Generated<number>
    voucherKind: 'coupon' | 'code' | null
    campaignId: number | null
  }
  promotionPlanVersion: {
    id: Generated<number>
    planId: number
    number: number
    kind: 'rate' | 'amount' | 'fixed' | 'nth' | 'bundle' | 'threshold'
    priority: number
    stacks: boolean
    paidPercent: number | null
    amountFen: number | null
    pieces: number | null
    leastFen: number | null
    perOrder: number | null
    productIds: Generated<number[]>
    categoryIds: Generated<number[]>
    machineIds: Generated<number[]>
    groupIds: Generated<number[]>
    levels: Generated<number[]>
    weekdays: Generated<number[]>
    fromMinute: number | null
    toMinute: number | null
    startsOn: string | null
    endsOn: string | null
    isFirstPurchase: boolean
    maxUses: number | null
    budgetFen: number | null
    perMember: number | null
    createdBy: number | null
    createdAt: Date
    listedAt: Date | null
    validDays: number | null
    maxIssued: number | null
    usesPerCode: number | null
    isReturned: boolean | null
    cardTypes: Generated<string[]>
  }
  promotionShowing: {
    versionId: number
    timeZone: string
  }
  promotionTally: {
    planId: number
    maxUses: number | null
    budgetFen: number | null
    uses: Generated<number>
    spentFen: Generated<number>
  }
  promotionUse: {
    planId: number
    orderId: number
    versionId: number
    buyer: string | null
    fen: number
    usedAt: Date
    releasedAt: Date | null
    voucherId: number | null
    spentAt: Date | null
    saleFen: number | null
  }
  providerAccount: {
    id: Generated<number>
    merchantId: number
    provider: 'alipay' | 'wechat' | 'unionpay'
    name: string
    environment: Generated<'production' | 'sandbox'>
    appId: Generated<string>
    providerNo: Generated<string>
    gateway: Generated<string>
    token: string
    version: Generated<number>
    createdAt: Generated<Date>
    testAskedAt: Date | null
    testAskedBy: number | null
    testEndedAt: Date | null
    testOutcome: 'good' | 'refused' | 'silent' | 'unset' | null
    testSaid: Generated<string>
    acquirerId: number | null
  }
  providerKey: {
    providerAccountId: number
    kind: 'private_key' | 'certificate' | 'provider_key' | 'api_key'
    sealed: Buffer | null
    pem: string | null
    fingerprint: string
    serial: Generated<string>
    subject: Generated<string>
    validUntil: Date | null
    setBy: number | null
    setAt: Date
  }
  pullItem: {
    orderId: number
    placeId: number
    productId: number
    batch: string
    quantity: number
  }
  purchaseEvent: {
    id: Computed<number>
    orderId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  purchaseOrder: {
    id: Computed<number>
    merchantId: number
    no: string
    supplierId: number
    warehouseId: number
    state: Generated<'draft' | 'submitted' | 'approved' | 'sent' | 'partly' | 'received' | 'closed' | 'cancelled'>
    dueOn: string
    note: Generated<string>
    madeBy: number | null
    maker: string
    madeAt: Date
    submittedAt: Date | null
    approvedBy: number | null
    approver: string | null
    approvedAt: Date | null
    sentHow: 'print' | 'mail' | 'message' | 'phone' | null
    sentAt: Date | null
    endedAt: Date | null
    endReason: Generated<string>
    version: Generated<number>
  }
  purchaseOrderLine: {
    orderId: number
    line: number
    supplierProductId: number
    productId: number
    packs: number
    packUnits: number
    pieces: Computed<number>
    priceFen: number
    listFen: number | null
    taxPermille: number
    most: number
    claimed: Generated<number>
    received: Generated<number>
  }
  purchasePlan: {
    id: Computed<number>
    merchantId: number
    no: string
    warehouseId: number
    state: Generated<'proposed' | 'ordered' | 'discarded'>
    fromOn: string
    horizonDays: number
    coverDays: number
    hasMedicine: boolean
    machines: number
    slots: number
    note: Generated<string>
    madeBy: number | null
    maker: string
    madeAt: Date
    ender: string | null
    endedAt: Date | null
    endReason: Generated<string>
    measuredTo: string | null
    errorPermille: number | null
    biasPermille: number | null
    version: Generated<number>
  }
  purchasePlanLine: {
    id: Computed<number>
    planId: number
    productId: number
    machines: number
    slots: number
    weekday: number[]
    needDays: number
    forecast: number
    safety: number
    slotTarget: number
    inSlots: number
    inStore: number
    inBags: number
    coming: number
    unusable: number
    hindrance: 'noSupplier' | 'noPrice' | 'papers' | 'notQualified' | 'scope' | 'storage' | null
    supplierProductId: number | null
    packUnits: number | null
    priceFen: number | null
    proposedPacks: number
    packs: number
    short: number
    changedBy: number | null
    changer: string | null
    changedAt: Date | null
    orderId: number | null
    version: Generated<number>
    sold: number | null
    forecastThen: number | null
    stockedPermille: number | null
  }
  purchasePlanMachine: {
    lineId: number
    machineId: number
    slots: number
    perDay: number
    forecast: number
    there: number
    slotTarget: number
  }
  pushMute: {
    userId: number
    typeId: number
  }
  pushProvider: {
    id: Computed<number>
    channel: 'sms' | 'email'
    kind: 'aliyun' | 'tencent' | 'smtp'
    isOn: Generated<boolean>
    config: Json
    secret: Buffer | null
    version: Generated<number>
  }
  pushQuiet: {
    userId: number
    quietFrom: string
    quietTo: string
  }
  pushRule: {
    id: Computed<number>
    merchantId: number
    typeId: number
    channels: string[]
    version: Generated<number>
  }
  pushRuleTarget: {
    ruleId: number
    roleId: number | null
    userId: number | null
    organisationId: number | null
  }
  questionList: {
    version: number
    sha256: string
    body: string
    faqIds: number[]
    madeAt: Date
  }
  realNameLimit: {
    id: Computed<number>
    merchantId: number | null
    limitGroup: string
    packs: number
    days: number
    version: Generated<number>
    changedBy: number | null
    changedAt: Generated<Date>
  }
  realNamePerson: {
    merchantId: number
    personHash: Buffer
    limitGroup: string
  }
  realNameTake: {
    orderId: number
    limitGroup: string
    merchantId: number
    personHash: Buffer
    packs: number
    takenAt: Date
  }
  recall: {
    id: Computed<number>
    merchantId: number
    batchId: number
    class: 'i' | 'ii' | 'iii'
    isDrill: boolean
    state: Generated<'draft' | 'active' | 'closed' | 'cancelled'>
    reason: string
    summary: Generated<string>
    createdBy: number | null
    createdAt: Date
    startedBy: number | null
    startedAt: Date | null
    dueAt: Date | null
    spreadAt: Date | null
    closedBy: number | null
    closedAt: Date | null
    version: Generated<number>
  }
  recallEvent: {
    id: Computed<number>
    recallId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
    quantity: Generated<number>
  }
  recallProof: {
    id: Computed<number>
    recallId: number
    record: string
    hashBefore: Buffer
    hash: Buffer
    signedAt: Date
  }
  recallTarget: {
    id: Computed<number>
    recallId: number
    placeId: number
    kind: 'warehouse' | 'replenisher' | 'slot'
    machineId: number | null
    slotCode: string | null
    merchantId: number
    book: number
    pulled: number | null
    state: Generated<'pending' | 'notified' | 'acknowledged' | 'pulled' | 'unreachable'>
    note: Generated<string>
    notifiedAt: Date | null
    acknowledgedAt: Date | null
    settledAt: Date | null
    settledBy: number | null
    version: Generated<number>
  }
  recommendation: {
    id: Computed<number>
    merchantId: number
    machineId: number
    slotId: number
    kind: 'add' | 'widen' | 'replace'
    state: Generated<'open' | 'accepted' | 'ignored'>
    incomingId: number | null
    outgoingId: number | null
    priceFen: number | null
    placeKind: string
    level: number
    machines: number
    machinesWith: number
    incomingFen: number
    incomingPieces: number
    outgoingFen: number
    outgoingPieces: number
    lossFen: number
    emptyPermille: number | null
    stoodSince: string | null
    gainFen: number
    lowFen: number
    highFen: number
    computedAt: Date
    decidedBy: number | null
    decidedAt: Date | null
    reason: Generated<string>
    begunOn: string | null
    beforeFen: number | null
    seenFen: number | null
    seenDays: Generated<number>
    templateId: number | null
  }
  recoveryCode: {
    userId: number
    codeHash: Buffer
    usedAt: Date | null
  }
  refund: {
    id: Computed<number>
    refundNo: string
    orderId: number
    merchantId: number
    occurredAt: Date
    machineId: number
    orderNo: string
    method: string
    attemptId: number | null
    amountFen: number
    cause: 'jam' | 'ship_timeout' | 'other'
    reason: Generated<string>
    state: 'pending_review' | 'refunding' | 'unknown' | 'refunded' | 'failed' | 'needs_handling' | 'rejected' | 'paid_back'
    detail: string | null
    requestedBy: number | null
    requestedAt: Date
    decidedBy: number | null
    decidedAt: Date | null
    tries: Generated<number>
    asks: Generated<number>
    sentAt: Date | null
    nextAt: Date | null
    channelRefundNo: string | null
    endedAt: Date | null
    payBackWay: 'transfer' | 'cash' | null
    payBackNote: string | null
    payBackProof: Generated<string[]>
    payBackBy: number | null
    payBackAt: Date | null
    payBackAgreedBy: number | null
    version: Generated<number>
    toldAt: Date | null
    limitFen: number | null
  }
  refundEvent: {
    id: Computed<number>
    refundId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  refundItem: {
    refundId: number
    orderId: number
    itemIndex: number
    productId: number
    amountFen: number
    isLive: Generated<boolean>
  }
  remoteShip: {
    id: Computed<number>
    merchantId: number
    machineId: number
    slotCode: string
    placeId: number
    productId: number
    orderNo: string
    commandId: string
    orderId: number | null
    itemIndex: number | null
    costFen: number
    customer: Generated<string>
    reason: string
    state: Generated<'sent' | 'received' | 'dispensed' | 'jammed' | 'refused' | 'expired' | 'unknown'>
    motorCode: string | null
    sensorCode: string | null
    detail: string | null
    createdBy: number | null
    createdAt: Date
    receivedAt: Date | null
    finishedAt: Date | null
  }
  repairEvent: {
    id: Computed<number>
    orderId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  repairOrder: {
    id: Computed<number>
    merchantId: number
    machineId: number
    planId: number | null
    source: 'alarm' | 'person' | 'plan' | 'recall' | 'recall_drill'
    kind: 'repair' | 'maintenance'
    problem: string
    solution: Generated<string>
    slots: Generated<string[]>
    pictures: Generated<string[]>
    state: Generated<'open' | 'assigned' | 'in_progress' | 'done' | 'closed' | 'cancelled'>
    assigneeId: number | null
    dueOn: string | null
    createdBy: number | null
    createdAt: Date
    startedAt: Date | null
    doneAt: Date | null
    closedAt: Date | null
    cancelReason: Generated<string>
    version: Generated<number>
    recallId: number | null
  }
  repairPart: {
    id: Computed<number>
    orderId: number
    name: string
    quantity: number
    costFen: number
    addedBy: number | null
    addedAt: Date
  }
  repairPlan: {
    id: Computed<number>
    merchantId: number
    machineId: number
    name: string
    everyDays: number | null
    everyOrders: number | null
    since: string
    version: Generated<number>
    createdAt: Date
  }
  replenishmentLine: {
    orderId: number
    machineId: number
    slotId: number
    productId: number
    there: number
    capacity: number
    takeOut: Generated<number>
    bring: number
    reason: 'newProduct' | 'empty' | 'expiring' | 'belowAlarm' | 'sellsOut'
    perHundredDays: number
    stakeFen: number
  }
  replenishmentOrder: {
    id: Computed<number>
    merchantId: number
    no: string
    routeId: number | null
    warehouseId: number
    userId: number | null
    replenisher: string
    coverDays: number
    state: Generated<'draft' | 'released' | 'loading' | 'underWay' | 'done' | 'cancelled'>
    note: Generated<string>
    outboundId: number | null
    maker: string
    madeAt: Date
    startedAt: Date | null
    ender: string | null
    endedAt: Date | null
    endReason: Generated<string>
    version: Generated<number>
  }
  replenishmentStop: {
    orderId: number
    machineId: number
    position: number
  }
  reportRequest: {
    id: Computed<number>
    merchantId: number
    userId: number
    list: string
    query: Json
    columns: string[]
    format: 'xlsx' | 'csv'
    language: 'zh' | 'en' | 'fr' | 'ko'
    state: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'expired'>
    rowsDone: Generated<number>
    rowsTotal: number | null
    file: string | null
    bytes: number | null
    requestedAt: Date
    touchedAt: Date
    finishedAt: Date | null
    expiresAt: Date | null
    maker: string | null
    keptCursor: string | null
    keptBytes: Generated<number>
    keptRows: Generated<number>
    isRead: Generated<boolean>
    keptReportId: number | null
  }
  resourceOff: {
    code: string
    reason: string
    offAt: Date
    offBy: number
  }
  role: {
    id: Generated<number>
    merchantId: number
    name: string
    description: Generated<string>
    surface: Generated<'web' | 'app'>
    version: Generated<number>
    type: Generated<'management' | 'operation' | 'maintenance' | 'pharmacy' | 'medical' | 'finance' | 'service' | 'other'>
    isTemplate: Generated<boolean>
  }
  rolePermission: {
    roleId: number
    permission: string
  }
  rollout: {
    id: Computed<number>
    merchantId: number
    packageId: number
    reason: string
    waves: number[]
    failureLimitPercent: number
    state: Generated<'running' | 'paused' | 'stopped' | 'done' | 'rolled_back'>
    wave: Generated<number>
    forgivenWave: number | null
    forgiven: Generated<number>
    version: Generated<number>
    createdBy: number | null
    createdAt: Date
    endedAt: Date | null
  }
  rolloutMachine: {
    rolloutId: number
    machineId: number
    wave: number
    commandId: string | null
    state: 'open' | 'done' | 'failed' | 'missed' | null
    detail: string | null
  }
  rollupDay: {
    businessDay: string
    merchantId: number
    method: string
    businessType: string
    orders: Generated<number>
    paidFen: Generated<number>
    discountFen: Generated<number>
    onlineOrders: Generated<number>
    onlineFen: Generated<number>
    refunds: Generated<number>
    refundedFen: Generated<number>
  }
  rollupDayAbove: {
    aboveId: number
    businessDay: string
    method: string
    businessType: string
    orders: Generated<number>
    paidFen: Generated<number>
    discountFen: Generated<number>
    onlineOrders: Generated<number>
    onlineFen: Generated<number>
    refunds: Generated<number>
    refundedFen: Generated<number>
  }
  rollupDayAboveProduct: {
    aboveId: number
    businessDay: string
    productId: number
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
    refundedQuantity: Generated<number>
    refundedFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupDayBatch: {
    businessDay: string
    machineId: number
    merchantId: number
    pointId: number
    productId: number
    batch: string
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
  }
  rollupDayLottery: {
    businessDay: string
    machineId: number
    productId: number
    oddsPermille: number
    merchantId: number
    plays: number
    wins: number
    stakeFen: number
    costFen: number
    prizeFen: number
  }
  rollupDayMachine: {
    businessDay: string
    machineId: number
    merchantId: number
    pointId: number
    method: string
    businessType: string
    orders: Generated<number>
    paidFen: Generated<number>
    discountFen: Generated<number>
    onlineOrders: Generated<number>
    onlineFen: Generated<number>
    refunds: Generated<number>
    refundedFen: Generated<number>
    costFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupDayMachineProduct: {
    businessDay: string
    machineId: number
    merchantId: number
    productId: number
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
    refundedQuantity: Generated<number>
    refundedFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupDayPrescription: {
    businessDay: string
    merchantId: number
    doctorId: number
    hospitalId: Generated<number>
    productId: number
    packs: number
    soldFen: number
  }
  rollupDayPrescriptionOrder: {
    businessDay: string
    merchantId: number
    doctorId: number
    hospitalId: Generated<number>
    orders: number
  }
  rollupDayProduct: {
    businessDay: string
    merchantId: number
    productId: number
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
    refundedQuantity: Generated<number>
    refundedFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupFold: {
    through: string
    isOnly: Generated<boolean>
  }
  rollupHour: {
    businessDay: string
    hour: number
    merchantId: number
    orders: number
    paidFen: number
  }
  rollupMachineMerchant: {
    machineId: number
    merchantId: number
  }
  rollupRun: {
    businessDay: string
    merchantId: number
    method: string
    businessType: string
    orders: Generated<number>
    paidFen: Generated<number>
    discountFen: Generated<number>
    onlineOrders: Generated<number>
    onlineFen: Generated<number>
    refunds: Generated<number>
    refundedFen: Generated<number>
  }
  rollupRunBatch: {
    businessDay: string
    machineId: number
    merchantId: number
    pointId: number
    productId: number
    batch: string
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
  }
  rollupRunMachine: {
    businessDay: string
    machineId: number
    merchantId: number
    pointId: number
    method: string
    businessType: string
    orders: Generated<number>
    paidFen: Generated<number>
    discountFen: Generated<number>
    onlineOrders: Generated<number>
    onlineFen: Generated<number>
    refunds: Generated<number>
    refundedFen: Generated<number>
    costFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupRunMachineProduct: {
    businessDay: string
    machineId: number
    merchantId: number
    productId: number
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
    refundedQuantity: Generated<number>
    refundedFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupRunProduct: {
    businessDay: string
    merchantId: number
    productId: number
    quantity: Generated<number>
    paidFen: Generated<number>
    costFen: Generated<number>
    refundedQuantity: Generated<number>
    refundedFen: Generated<number>
    refundedCostFen: Generated<number>
  }
  rollupTotal: {
    merchantId: number
    orders: number
    paidFen: number
  }
  route: {
    id: Generated<number>
    merchantId: number
    name: string
    userId: number | null
    weekdays: Generated<number[]>
    remark: Generated<string>
    version: Generated<number>
    createdAt: Generated<Date>
  }
  schemaMigration: {
    name: string
    hash: string
    appliedAt: Generated<Date>
  }
  secondFactor: {
    userId: number
    secret: Buffer
    lastStep: number
    confirmedAt: Date
  }
  secondFactorChallenge: {
    tokenHash: Buffer
    userId: number
    secret: Buffer | null
    failures: Generated<number>
    expiresAt: Date
    usedAt: Date | null
  }
  secondFactorSetup: {
    userId: number
    secret: Buffer
    expiresAt: Date
  }
  secondPiece: {
    orderId: number
    index: number
    merchantId: number
    cameAt: Date
    motorCode: string | null
    sensorCode: string | null
    batch: string | null
    traceCode: string | null
  }
  selfCheck: {
    id: Computed<number>
    merchantId: number
    machineId: number
    commandId: string
    checkedAt: Date
    parts: Json
    partCount: number
    failing: string[]
    isNewest: Generated<boolean>
  }
  session: {
    tokenHash: Buffer
    userId: number
    createdAt: Date
    lastSeenAt: Date
    endsAt: Date
    ip: string
    agent: string
    endedAt: Date | null
    endReason: 'sign_out' | 'elsewhere' | 'expired' | 'password' | 'administrator' | 'disabled' | null
    surface: Generated<'web' | 'app'>
    activeRoleId: number | null
    viewRoleId: number | null
    id: Computed<number>
    limitedTo: string | null
  }
  setting: {
    key: string
    merchantId: number | null
    value: Json
    version: Generated<number>
    changedAt: Date | null
    changedBy: number | null
  }
  settledItem: {
    kind: 'order' | 'refund'
    reference: number
    settlementId: number
    amountFen: number
    channelFeeFen: number | null
    functionFeeFen: number | null
    taxFen: number | null
    id: Computed<number>
    splitFen: Generated<number>
  }
  settlement: {
    id: Computed<number>
    merchantId: number
    runId: number | null
    method: string
    fundsMode: 'direct' | 'profit_share' | 'custody' | 'demo'
    businessDay: string
    orders: number
    refunds: number
    grossFen: number
    refundFen: number
    channelFeeFen: number
    functionFeeFen: number
    netFen: number
    roundingUfen: number
    postedAt: Date
    state: Generated<'open' | 'confirmed' | 'lapsed'>
    confirmedBy: number | null
    confirmedAt: Date | null
    version: Generated<number>
    taxFen: Generated<number>
    splitFen: Generated<number>
  }
  settlementChannel: {
    id: Computed<number>
    providerAccountId: number
    subMerchantNo: Generated<string>
    merchantId: number
    provider: 'alipay' | 'wechat' | 'unionpay'
    accountId: number
    fundsMode: 'direct' | 'profit_share' | 'custody' | 'demo'
    since: string
  }
  settlementDifference: {
    id: Computed<number>
    runId: number
    channelId: number
    merchantId: number
    kind: 'only_ours' | 'only_theirs' | 'amount_differs' | 'refund_only_ours' | 'refund_only_theirs' | 'refund_differs' | 'fee_differs' | 'balance_differs' | 'payout_missing'
    about: string
    ourFen: number | null
    theirFen: number | null
    matchedId: number | null
    lineId: number | null
    orderId: number | null
    orderNo: string | null
    orderMerchantId: number | null
    state: 'next_day' | 'open' | 'asking' | 'proposed' | 'decided' | 'resolved'
    ownerId: number | null
    decision: 'take_order' | 'refund' | 'write_off' | 'ask_channel' | 'accept' | null
    reason: string | null
    proposedBy: number | null
    proposedAt: Date | null
    approvedBy: number | null
    decidedAt: Date | null
    resolvedRunId: number | null
    createdAt: Date
    version: Generated<number>
  }
  settlementDifferenceEvent: {
    id: Computed<number>
    differenceId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  settlementDispute: {
    id: Computed<number>
    settlementId: number
    merchantId: number
    itemKind: Generated<string>
    orderId: number
    orderNo: string
    reason: string
    state: Generated<'waiting' | 'accepted' | 'refused' | 'withdrawn'>
    raisedBy: number
    raisedAt: Date
    correction: 'refund' | 'difference' | 'other' | null
    answer: string | null
    answeredBy: number | null
    answeredAt: Date | null
    version: Generated<number>
  }
  settlementRun: {
    id: Computed<number>
    channelId: number
    merchantId: number
    provider: 'alipay' | 'wechat' | 'unionpay'
    day: string
    state: Generated<'waiting' | 'matched' | 'closing' | 'closed'>
    tries: Generated<number>
    lastCode: string | null
    ourCount: Generated<number>
    ourFen: Generated<number>
    ourRefundCount: Generated<number>
    ourRefundFen: Generated<number>
    theirCount: Generated<number>
    theirFen: Generated<number>
    theirRefundCount: Generated<number>
    theirRefundFen: Generated<number>
    feeFen: Generated<number>
    payoutFen: Generated<number>
    theirBalanceFen: number | null
    ourBalanceFen: number | null
    openCount: Generated<number>
    waitingCount: Generated<number>
    createdAt: Date
    fetchedAt: Date | null
    matchedAt: Date | null
    askedBy: number | null
    askedAt: Date | null
    closedBy: number | null
    closedAt: Date | null
    version: Generated<number>
    fundsMode: 'direct' | 'profit_share' | 'custody' | 'demo'
  }
  signInChallenge: {
    cid: string
    account: string | null
    code: string
    mode: 'auto' | 'typed'
    cnonce: string | null
    snonce: string | null
    origin: string | null
    ip: string
    expiresAt: Date
    used: Generated<boolean>
  }
  signInCounter: {
    key: string
    failures: Generated<number>
    windowEndsAt: Date
    blockedUntil: Date | null
    dayEndsAt: Date
    failuresToday: Generated<number>
  }
  signInLog: {
    id: Computed<number>
    at: Date
    account: string
    userId: number | null
    ip: string
    agent: string
    outcome: 'ok' | 'wrong' | 'code' | 'throttled' | 'disabled' | 'halfway' | 'factor'
  }
  signInSpray: {
    subnet: string
    accountHash: Buffer
    endsAt: Date
  }
  slot: {
    id: Generated<number>
    machineId: number | null
    code: string
    layer: number
    position: number
    placeId: number
    productId: number | null
    capacity: number
    alarmThreshold: Generated<number>
    priceFen: number | null
    choice: Generated<'none' | 'stopped_sale' | 'reserved_only'>
    fault: string | null
    isLocked: Generated<boolean>
    lockReason: Generated<string>
    nextProductId: number | null
    nextPriceFen: number | null
    nextCapacity: number | null
    nextAt: Date | null
    nextBy: number | null
    version: Generated<number>
  }
  slotLayer: {
    placeId: number
    productId: number
    sequence: number
    batch: string | null
    quantity: number
    filledAt: Date
  }
  slotOffer: {
    slotId: number
    productId: number
    kinds: string[]
    amounts: number[]
    versionIds: number[]
    struckFen: number | null
    beganAt: Date
    memberKinds: string[] | null
    memberAmounts: number[] | null
    memberVersionIds: number[] | null
  }
  solution: {
    id: Computed<number>
    name: string
    cause: string
    code: Generated<string>
    model: Generated<string>
    symptom: Generated<string>
    steps: string
    sound: Generated<string>
    state: Generated<'active' | 'stopped'>
    createdAt: Date
    version: Generated<number>
  }
  solutionVerdict: {
    solutionId: number
    caseKind: 'alarm' | 'repairOrder' | 'feedback'
    caseId: number
    userId: number
    helped: boolean
    at: Date
  }
  split: {
    id: Computed<number>
    orderId: number
    orderNo: string
    occurredAt: Date
    merchantId: number
    machineId: number
    attemptId: number
    ruleId: number
    settlementId: number
    provider: 'wechat' | 'alipay'
    businessDay: string
    paidFen: number
    baseFen: number
    keptFen: number
    refundedFen: number
    frozenSince: Date
    state: Generated<'waiting' | 'sending' | 'unknown' | 'failed' | 'finishing' | 'finished'>
    tries: Generated<number>
    asks: Generated<number>
    nextAt: Date | null
    detail: string | null
    madeAt: Date
    finishedAt: Date | null
    version: Generated<number>
  }
  splitLine: {
    id: Computed<number>
    splitId: number
    lineNo: number
    receiverId: number
    amountFen: number
    deductedFen: Generated<number>
    cutFen: Generated<number>
    state: Generated<'waiting' | 'sent' | 'done' | 'failed' | 'proposed' | 'released'>
    try: number | null
    code: string | null
    failedAt: Date | null
    doneAt: Date | null
    proposedBy: number | null
    decidedBy: number | null
    reason: string | null
    version: Generated<number>
  }
  splitReceiver: {
    id: Computed<number>
    merchantId: number
    accountId: number
    provider: 'wechat' | 'alipay'
    kind: 'merchant' | 'user' | 'outside'
    ofMerchantId: number | null
    ofUserId: number | null
    name: string
    accountType: 'merchant_no' | 'openid' | 'user_id' | 'login'
    account: string
    consents: Generated<boolean>
    state: Generated<'draft' | 'binding' | 'bound' | 'unbinding' | 'unbound' | 'failed'>
    detail: string | null
    asks: Generated<number>
    nextAt: Date | null
    boundAt: Date | null
    createdAt: Date
    createdBy: number
    version: Generated<number>
  }
  splitReturn: {
    id: Computed<number>
    lineId: number
    refundedFen: number
    amountFen: number
    state: Generated<'waiting' | 'sending' | 'done' | 'claimed' | 'settled' | 'written_off'>
    settledFen: Generated<number>
    tries: Generated<number>
    asks: Generated<number>
    nextAt: Date | null
    code: string | null
    reason: string | null
    decidedBy: number | null
    createdAt: Date
    endedAt: Date | null
    version: Generated<number>
  }
  splitRule: {
    id: Computed<number>
    merchantId: number
    groupId: number | null
    machineId: number | null
    validFrom: string
    validTo: string | null
    reason: string
    createdAt: Date
    createdBy: number
  }
  splitRuleLine: {
    ruleId: number
    lineNo: number
    receiverId: number
    rateBps: number | null
    fixedFen: number | null
  }
  ssoIdentity: {
    issuer: string
    subject: string
    userId: number
    linkedAt: Date
  }
  ssoJourney: {
    stateHash: Buffer
    browserHash: Buffer
    sealed: Buffer
    redirectUri: string
    providerVersion: number
    ip: string
    expiresAt: Date
  }
  ssoProvider: {
    id: Generated<number>
    name: string
    issuer: string
    clientId: string
    clientSecret: Buffer
    scope: string
    accountClaim: 'preferred_username' | 'email' | 'phone_number' | 'sub'
    rule: 'match' | 'make'
    merchantId: number | null
    roleId: number | null
    isEnabled: boolean
    version: Generated<number>
    updatedAt: Date
  }
  statementFile: {
    id: Computed<number>
    runId: number
    kind: 'bill' | 'trade' | 'fund'
    source: 'fetched' | 'uploaded'
    name: string
    hash: Buffer
    content: Buffer
    lineCount: number
    importedAt: Date
    importedBy: number | null
  }
  statementLine: {
    id: Computed<number>
    fileId: number
    runId: number
    lineNo: number
    kind: 'payment' | 'refund' | 'fund_payment' | 'fund_refund' | 'fund_fee' | 'fund_payout' | 'fund_split' | 'fund_other'
    attemptNo: Generated<string>
    refundNo: Generated<string>
    channelNo: Generated<string>
    amountFen: number
    feeFen: Generated<number>
    balanceFen: number | null
    at: Date
    matchedId: number | null
    orderId: number | null
    orderMerchantId: number | null
  }
  statementMatch: {
    kind: 'payment' | 'refund'
    matchedId: number
    runId: number
    lineId: number
    orderId: number
  }
  stockAlarmRule: {
    id: Computed<number>
    merchantId: number
    pointId: number | null
    machineId: number | null
    empty: number
    ofSlots: number | null
    version: Generated<number>
    updatedAt: Date
  }
  stockCost: {
    id: Computed<number>
    movedAt: Date
    placeId: number
    productId: number
    batch: string | null
    quantity: number
    costFen: number
    cause: string
    reference: string
    otherPlaceId: number | null
    userId: number | null
  }
  stockCount: {
    id: Computed<number>
    merchantId: number
    machineId: number
    scope: 'all' | 'cycle' | 'slots' | 'machine'
    state: Generated<'counting' | 'recounting' | 'review' | 'posted' | 'cancelled'>
    isOpen: Computed<boolean | null>
    openedBy: number | null
    openedAt: Date
    countedAt: Date | null
    postedBy: number | null
    postedAt: Date | null
    reason: Generated<string>
    version: Generated<number>
    no: string
  }
  stockCountEvent: {
    id: Computed<number>
    countId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  stockCountLine: {
    id: Computed<number>
    countId: number
    isOpen: Generated<boolean>
    slotCode: string
    placeId: number
    productId: number
    batch: string | null
    counted: number | null
    countedAt: Date | null
    countedBy: number | null
    needsSecond: Generated<boolean>
    second: number | null
    secondAt: Date | null
    secondBy: number | null
    reason: 'miscount' | 'wrongSlot' | 'jam' | 'theft' | 'damage' | 'unrecordedFill' | 'other' | null
    note: Generated<string>
    pictures: Generated<string[]>
    book: number | null
    delta: number | null
    costFen: number | null
  }
  stockCounted: {
    placeId: number
    productId: number
    countedAt: Date
    merchantId: number
    scrapPlaceId: number
    reference: string
  }
  stockLevel: {
    placeId: number
    productId: number
    quantity: number
    mayGoNegative: Generated<boolean>
    id: Computed<number>
  }
  stockMove: {
    id: Computed<number>
    merchantId: number
    movedAt: Date
    productId: number
    quantity: number
    fromPlaceId: number
    toPlaceId: number
    cause: 'vend' | 'fill' | 'remove' | 'count' | 'purchase' | 'scrap' | 'return' | 'test' | 'free' | 'transfer'
    reference: string
    batch: string | null
    userId: number | null
    costFen: number | null
    beforePieces: number | null
    afterPieces: number | null
    replenisher: string | null
  }
  stockOut: {
    id: Computed<number>
    placeId: number
    productId: number
    beganAt: Date
    endedAt: Date | null
    endedBy: 'goods' | 'planogram' | 'retirement' | null
  }
  stockValue: {
    id: Computed<number>
    placeId: number
    productId: number
    pieces: number
    valueFen: number
  }
  supplier: {
    id: Computed<number>
    merchantId: number
    name: string
    creditCode: Generated<string>
    contact: Generated<string>
    phone: Generated<string>
    email: Generated<string>
    address: Generated<string>
    termsDays: Generated<number>
    deliversMedicine: Generated<boolean>
    remark: Generated<string>
    state: Generated<'draft' | 'review' | 'qualified' | 'suspended' | 'stopped'>
    bank: Generated<string>
    accountHolder: Generated<string>
    accountSealed: Buffer | null
    accountTail: Generated<string>
    submittedBy: number | null
    version: Generated<number>
    createdAt: Date
  }
  supplierInvoice: {
    id: Computed<number>
    merchantId: number
    supplierId: number
    number: string
    issuedOn: string
    state: Generated<'waiting' | 'accepted' | 'refused'>
    amountFen: number
    agreedFen: number
    differenceFen: Computed<number>
    note: Generated<string>
    endReason: Generated<string>
    writtenBy: number | null
    writer: string
    writtenAt: Date
    decidedBy: number | null
    decider: string | null
    decidedAt: Date | null
  }
  supplierPaper: {
    id: Computed<number>
    supplierId: number
    kind: 'business' | 'medicineTrade' | 'medicineMaking' | 'quality' | 'sales' | 'foodTrade' | 'other'
    number: string
    validFrom: string
    validTo: string | null
    scope: Generated<('rx' | 'otc_a' | 'otc_b')[]>
    pictures: Generated<string[]>
    addedAt: Date
    addedBy: number | null
    revokedAt: Date | null
    revokeReason: string | null
  }
  supplierPayment: {
    id: Computed<number>
    merchantId: number
    no: string
    supplierId: number
    state: Generated<'waiting' | 'paid' | 'refused' | 'returned'>
    amountFen: number
    paidOn: string
    bankReference: string
    note: Generated<string>
    endReason: Generated<string>
    writtenBy: number | null
    writer: string
    writtenAt: Date
    decidedBy: number | null
    decider: string | null
    decidedAt: Date | null
  }
  supplierPaymentLine: {
    paymentId: number
    payableId: number
    amountFen: number
  }
  supplierPrice: {
    supplierProductId: number
    fromPacks: number
    fromOn: string
    toOn: string | null
    priceFen: number
  }
  supplierProduct: {
    id: Computed<number>
    merchantId: number
    supplierId: number
    productId: number
    supplierCode: Generated<string>
    packUnits: number
    minimumPacks: Generated<number>
    leadDays: number
    preference: Generated<number>
    taxPermille: Generated<number>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Date
  }
  supplierReturn: {
    id: Computed<number>
    merchantId: number
    no: string
    supplierId: number
    warehouseId: number
    state: Generated<'draft' | 'approved' | 'sent' | 'credited' | 'cancelled'>
    why: 'expiring' | 'quality' | 'recalled' | 'wrong' | 'other'
    note: Generated<string>
    madeBy: number | null
    maker: string
    madeAt: Date
    approvedBy: number | null
    approver: string | null
    approvedAt: Date | null
    sender: string | null
    sentAt: Date | null
    creditNote: Generated<string>
    creditedFen: number | null
    endedAt: Date | null
    endReason: Generated<string>
  }
  supplierReturnLine: {
    returnId: number
    line: number
    productId: number
    batch: Generated<string>
    quantity: number
    receiptId: number
    receiptLine: number
    costFen: number
  }
  systemAlarm: {
    id: Computed<number>
    kind: 'outbox_lag' | 'outbox_failed' | 'job_failed' | 'seal_lag' | 'audit_broken' | 'books_differ' | 'gateway_silent' | 'backup_failed' | 'backup_old'
    cause: Generated<string>
    facts: Json
    openedAt: Date
    seenAt: Date
    acknowledgedAt: Date | null
    acknowledgedBy: number | null
    note: string | null
    closedAt: Date | null
  }
  temperatureDay: {
    machineId: number
    day: string
    records: Generated<number>
    lastHash: Buffer
    lowestTenths: number | null
    highestTenths: number | null
    signedBy: number | null
    signedAt: Date | null
    signedRecords: number | null
    signedNote: Generated<string>
  }
  temperatureRecord: {
    id: Computed<number>
    merchantId: number
    machineId: number
    day: string
    place: number
    at: Date
    receivedAt: Date
    msgId: string
    probe: number
    celsiusTenths: number
    humidityTenths: number | null
    mode: Generated<string>
    compressor: boolean | null
    hash: Buffer
  }
  template: {
    id: Generated<number>
    merchantId: number
    name: string
    remark: Generated<string>
    flowAlarmMb: number | null
    temperatureMinC: number | null
    temperatureMaxC: number | null
    humidityMin: number | null
    humidityMax: number | null
    thermostat: Json | null
    version: Generated<number>
    createdAt: Date
    updatedAt: Date
    updatedBy: number | null
  }
  templateSlot: {
    templateId: number
    layer: number
    position: number
    productId: number | null
    priceFen: number | null
    capacity: number
    alarmThreshold: number
  }
  templateUse: {
    machineId: number
    templateId: number
    version: number
    appliedAt: Date
    appliedBy: number | null
    batchId: string | null
  }
  textOverride: {
    namespace: string
    key: string
    zh: string | null
    en: string | null
    fr: string | null
    ko: string | null
    version: Generated<number>
    changedAt: Date
    changedBy: number
  }
  textVersion: {
    isOnly: Generated<boolean>
    number: number
  }
  topUpGift: {
    id: Computed<number>
    version: Generated<number>
    createdAt: Date
    merchantId: number
    name: string
    cardType: string | null
    fromFen: number
    giftFen: number
    fromDay: string
    toDay: string | null
    state: Generated<'active' | 'stopped'>
  }
  traceAccount: {
    id: Computed<number>
    merchantId: number
    enterpriseNo: string
    address: string
    secret: Buffer
    isOn: boolean
    version: Generated<number>
    changedAt: Date
  }
  traceCode: {
    id: Computed<number>
    code: string
    scheme: 'cn20' | 'gs1' | 'other'
    level: Generated<number>
    parentId: number | null
    parentLevel: number | null
    merchantId: number
    productId: number | null
    batch: string | null
    placeId: number | null
    state: Generated<'unknown' | 'in_stock' | 'withdrawn' | 'unaccounted' | 'sold' | 'returned' | 'destroyed'>
    addedAt: Date
    changedAt: Date
  }
  traceEvent: {
    id: Computed<number>
    traceCodeId: number
    merchantId: number
    verb: 'receive' | 'load' | 'sell' | 'sellAgain' | 'takeBack' | 'destroy' | 'withdraw' | 'remove' | 'lose' | 'bringBack'
    at: Date
    heardAt: Date
    placeId: number | null
    productId: number | null
    batch: string | null
    reference: Generated<string>
    note: Generated<string>
    userId: number | null
  }
  traceSale: {
    id: Computed<number>
    traceCodeId: number
    merchantId: number
    machineId: number
    orderId: number
    orderNo: string
    orderAt: Date
    index: number
    isSecond: boolean
    soldAt: Date
    counts: boolean
    endedAt: Date | null
  }
  traceUpload: {
    id: Computed<number>
    eventId: number
    traceCodeId: number
    merchantId: number
    kind: 'receipt' | 'sale' | 'return' | 'destruction'
    state: Generated<'queued' | 'sent' | 'accepted' | 'refused'>
    batch: string | null
    tries: Generated<number>
    nextTryAt: Date
    sentAt: Date | null
    answeredAt: Date | null
    reason: Generated<string>
    problem: Generated<string>
  }
  transfer: {
    id: Computed<number>
    merchantId: number
    no: string
    fromId: number
    toId: number
    state: Generated<'onWay' | 'arrived' | 'calledBack'>
    note: Generated<string>
    sentBy: number | null
    sender: string
    sentAt: Date
    endedBy: number | null
    ender: string | null
    endedAt: Date | null
  }
  transferLine: {
    transferId: number
    line: number
    productId: number
    batch: Generated<string>
    quantity: number
    arrived: number | null
  }
  unclaimedPayment: {
    id: Generated<number>
    providerAccountId: number
    provider: 'alipay' | 'wechat' | 'unionpay'
    channelNo: string
    attemptNo: Generated<string>
    amountFen: number
    paidAt: Date
    notedAt: Date
    cause: 'unknown_number' | 'other_account' | 'other_amount' | 'paid_twice'
    times: Generated<number>
    state: Generated<'open' | 'asked' | 'refunding' | 'failed' | 'refunded' | 'attached' | 'settled'>
    decision: 'refund' | 'attach' | null
    reason: Generated<string>
    orderId: number | null
    orderNo: string | null
    askedBy: number | null
    askedAt: Date | null
    decidedBy: number | null
    decidedAt: Date | null
    tries: Generated<number>
    asks: Generated<number>
    sentAt: Date | null
    nextAt: Date | null
    channelRefundNo: string | null
    detail: string | null
    endedAt: Date | null
    version: Generated<number>
  }
  userRole: {
    userId: number
    roleId: number
  }
  usualDay: {
    machineId: number
    weekday: number
    orders: number
    paidFen: number
  }
  usualHour: {
    merchantId: number
    weekday: number
    hour: number
    share: number
  }
  usualSlot: {
    slotId: number
    fenHour: number
  }
  visit: {
    id: Computed<number>
    merchantId: number
    orderId: number
    machineId: number
    state: Generated<'open' | 'done'>
    openedAt: Date
    doneAt: Date | null
    countId: number | null
  }
  visitDecision: {
    stepId: number
    verb: 'keep' | 'book' | 'drop'
    userId: number
    decider: string
    decidedAt: Date
    note: Generated<string>
  }
  visitStep: {
    id: Computed<number>
    uuid: string
    visitId: number
    phone: string
    seq: number
    kind: 'open' | 'photo' | 'count' | 'takeOut' | 'fill' | 'cash' | 'fault' | 'done'
    said: Json
    userId: number
    who: string
    occurredAt: Date
    at: Date
    heardAt: Date
    answer: 'applied' | 'needsReview' | 'refused'
    reason: string | null
    differs: GivenJson
    isBooked: boolean
  }
  voucher: {
    id: Generated<number>
    batchId: number
    planId: number
    versionId: number
    merchantId: number
    kind: 'coupon' | 'code'
    serial: number
    memberId: number | null
    digest: Buffer
    sealed: Buffer
    tail: string
    state: Generated<'unused' | 'held' | 'used' | 'expired' | 'cancelled'>
    usesAllowed: number
    taken: Generated<number>
    spent: Generated<number>
    validFrom: Date
    expiresAt: Date
    createdAt: Date
    endedAt: Date | null
    endedBy: number | null
    endReason: Generated<string>
  }
  voucherBatch: {
    id: Generated<number>
    planId: number
    versionId: number
    merchantId: number
    kind: 'members' | 'bearer' | 'codes'
    count: number
    made: Generated<number>
    state: Generated<'making' | 'ready' | 'stopped'>
    reason: string
    validFrom: Date
    expiresAt: Date
    createdBy: number | null
    createdAt: Date
    cancelledAt: Date | null
    cancelledBy: number | null
    cancelReason: Generated<string>
    isEnded: Generated<boolean>
  }
  voucherRelease: {
    id: Generated<number>
    batchId: number
    userId: number
    fromSerial: number
    toSerial: number
    releasedAt: Date
    endsAt: Date
  }
  voucherTally: {
    planId: number
    maxIssued: number | null
    issued: Generated<number>
    used: Generated<number>
    expired: Generated<number>
    cancelled: Generated<number>
    givenFen: Generated<number>
    salesFen: Generated<number>
  }
  warehouse: {
    id: Computed<number>
    merchantId: number
    placeId: number
    name: string
    storage: Generated<'room' | 'cool' | 'cold' | 'frozen'>
    address: Generated<string>
    keeperId: number | null
    lowestC: Generated<number>
    highestC: Generated<number>
    highestHumidity: Generated<number>
    state: Generated<'active' | 'stopped'>
    version: Generated<number>
    createdAt: Date
  }
  warehouseReading: {
    id: Computed<number>
    warehouseId: number
    readAt: Date
    temperatureTenths: number
    humidity: number | null
    lowestC: number
    highestC: number
    highestHumidity: number
    isExcursion: Computed<boolean>
    note: Generated<string>
    readBy: number | null
    reader: string
  }
  webhookDelivery: {
    id: Computed<number>
    endpointId: number
    number: number
    numberedAt: Date
    kind: string
    object: string
    state: Generated<'waiting' | 'delivered' | 'dead'>
    tries: Generated<number>
    nextTryAt: Date | null
    triedAt: Date | null
    status: number | null
    problem: string | null
    answer: Generated<string>
    durationMs: number | null
    askedBy: number | null
  }
  webhookEndpoint: {
    id: Computed<number>
    configId: number
    address: string
    kinds: Generated<string[]>
    state: Generated<'enabled' | 'paused' | 'disabled'>
    endedBy: 'gone' | 'failing' | null
    secret: Buffer
    secretBefore: Buffer | null
    secretBeforeUntil: Date | null
    failures: Generated<number>
    failingSince: Date | null
    restsUntil: Date | null
    version: Generated<number>
    createdAt: Date
  }
  withdrawal: {
    id: Computed<number>
    no: string
    merchantId: number
    bankAccountId: number
    payoutAccountId: number
    fundsMode: 'custody' | 'demo'
    amountFen: number
    feeFen: number
    state: Generated<'requested' | 'checked' | 'approved' | 'paying' | 'unknown' | 'paid' | 'rejected' | 'cancelled' | 'failed' | 'returned'>
    detail: string | null
    reason: string | null
    limitFen: number
    requestedBy: number
    requestedAt: Date
    dueOn: string
    checkedBy: number | null
    approvedBy: number | null
    endedAt: Date | null
    tries: Generated<number>
    asks: Generated<number>
    sentAt: Date | null
    nextAt: Date | null
    bankNo: string | null
    paidAt: Date | null
    version: Generated<number>
  }
  withdrawalEvent: {
    id: Computed<number>
    withdrawalId: number
    at: Date
    verb: string
    userId: number | null
    note: Generated<string>
  }
  writeOff: {
    id: Computed<number>
    merchantId: number
    placeId: number
    productId: number
    batch: string
    quantity: number
    costFen: number
    why: 'expired' | 'damaged' | 'missing' | 'quality' | 'recalled' | 'other'
    note: string
    state: Generated<'waiting' | 'done' | 'refused' | 'reversed'>
    askedBy: number | null
    asker: string
    askedAt: Date
    decidedBy: number | null
    decider: string | null
    decidedAt: Date | null
    pictures: Generated<string[]>
    endReason: Generated<string>
    reversedBy: number | null
    reversedAt: Date | null
  }
}
