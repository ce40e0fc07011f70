/** What commands ask for and jobs do. */
export const MAKE_JOB = 'pickup.makeCodes'
export const FOLLOW_JOB = 'pickup.followBatch'
