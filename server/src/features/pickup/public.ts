export { type CheckedCode, checkCodes } from './check.reads'
export { holdCodes, settleCodes } from './hold.commands'
