import { answerApart } from '../files/apart.answer'
import { tableOf } from './sheet.table'

void answerApart(tableOf)
