import { expect, test } from 'vitest'
import { approvalForm } from './approval'

test.each([
  ['', 'none'],
  ['  ', 'none'],
  ['国药准字H20093458', 'old'],
  ['国药准字Z11020361', 'old'],
  ['国药准字S20020001', 'old'],
  ['国药准字J20180024', 'old'],
  ['国药准字 h20093458', 'old'],
  ['国药准字HJ20160217', 'new'],
  ['国药准字ZJ20160217', 'new'],
  ['国药准字SJ20200012', 'new'],
  ['国药准字HC20150042', 'new'],
  ['国药准字ZC20150042', 'new'],
  ['国药准字SC20150042', 'new'],
  ['国药准字JH20160217', 'unknown'],
  ['国药准字H2009345', 'unknown'],
  ['国药准字H200934581', 'unknown'],
  ['国药准字20093458', 'unknown'],
  ['国药准字X20093458', 'unknown'],
  ['H20093458', 'unknown'],
  ['卫药准字(1995)第1号', 'unknown'],
] as const)('the approval number %j is of the form %s', (number, form) => expect(approvalForm(number)).toBe(form))
