import { answerApart } from '../../../kernel/files/apart.answer'
import { readStatement } from './statement'

void answerApart(readStatement)
