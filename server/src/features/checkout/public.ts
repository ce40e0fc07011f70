export { takePaymentAnswer } from './answer.commands'
