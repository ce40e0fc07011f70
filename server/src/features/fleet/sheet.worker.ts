import { answerApart } from '../../kernel/apart.answer'
import { tableOf } from './sheet.table'

void answerApart(tableOf)
