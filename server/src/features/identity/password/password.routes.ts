import {
  adminResetPass,
  adminResetPassByGet,
  changeOwnPassword,
  getOwnPasswordParam,
  openForgotten,
  resetPass,
  resetPassByGet,
  sendPhoneCode,
} from '@aisle/contract/identity/password'
import { command, open, query, type Route } from '../../../kernel/route'
import { giveOwnParam } from './ownPassword.commands'
import { changeOwn, openByPhone, resetByAdmin, resetByPhone } from './password.commands'
import { offerPhoneCode } from './phoneCode.commands'

export const routes: Route[] = [
  query(getOwnPasswordParam, giveOwnParam),
  command(changeOwnPassword, changeOwn),
  open(sendPhoneCode, offerPhoneCode),
  open(openForgotten, openByPhone),
  open(resetPass, resetByPhone),
  open(resetPassByGet, resetByPhone),
  command(adminResetPass, resetByAdmin),
  command(adminResetPassByGet, resetByAdmin),
]
