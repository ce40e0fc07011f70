export { takePaymentAnswer, takePaymentAnswers } from './answer.commands'
