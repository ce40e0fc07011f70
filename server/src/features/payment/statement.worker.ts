import { answerApart } from '../../kernel/apart.answer'
import { readStatement } from './statement'

void answerApart(readStatement)
