/** Times are said and typed on the network's clock, wherever somebody reads them; a machine elsewhere keeps its own. */
export const BUSINESS_ZONE = 'Asia/Shanghai'

/** Whether the reader's clock shows another time, so that the zone has to be said. */
export const isElsewhere = (zone: string): boolean => Intl.DateTimeFormat().resolvedOptions().timeZone !== zone
