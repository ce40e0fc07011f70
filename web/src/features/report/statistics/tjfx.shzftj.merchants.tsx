import { merchantPaymentsPage } from './merchantPayments'

export default merchantPaymentsPage('tjfx/shzftj')
