import { answerApart } from '../../../kernel/files/apart.answer'
import { tableOf } from './sheet.table'

void answerApart(tableOf)
