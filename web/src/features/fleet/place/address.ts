type Addressed = { province: string; city: string; address: string }

/** A city that is its own province is named once. */
export const addressOf = ({ province, city, address }: Addressed): string =>
  [...new Set([province, city, address])].filter(Boolean).join(' ')
