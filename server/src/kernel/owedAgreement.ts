/**
 * SQL for the id of the newest published platform agreement, where this person has not accepted it. The one truth of
 * who is asked: the session reader refuses all other calls by it, and the reading of what is asked for uses it too.
 * @param user the column that holds the person's id, or a parameter such as `$1`
 */
export const owedAgreement = (user: string): string => `
  select newest.id from (select id from agreement where number is not null order by number desc limit 1) newest
  where not exists (select 1 from agreement_acceptance x where x.agreement_id = newest.id and x.user_id = ${user})`
