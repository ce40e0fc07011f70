/** Tells machines what to play, where that has changed. */
export const TELL = 'advert.tellMachines'
