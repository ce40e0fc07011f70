import { checkValue, crc16 } from '@aisle/contract/device/auditFile'
import { describe, expect, test } from 'vitest'
import { type DexFault, type DexSelection, readDex, soldBetween } from './dex.rules'

/** Lines from ST on, with the end that fits them. */
function file(lines: readonly string[], change: { count?: number; check?: string } = {}): string {
  const body = ['ST*001*0001', ...lines]
  const end = [`G85*${change.check ?? checkValue(body)}`, `SE*${change.count ?? body.length + 2}*0001`, 'DXE*1*1']
  return ['DXS*EXA0000001*VA*V0/6*1', ...body, ...end].join('\r\n')
}

const audit = [
  'ID1*SN-77*Combo 6*220*Lobby**100023',
  'ID4*2*156*CNY',
  'ID5*20261120*083000',
  'CB1*B-1*VMC-8*3.14',
  'VA1*123450*321*2300*6',
  'VA2*0*12*0*1',
  'VA3*0*3*0*0',
  'CA2*50000*120*500*2',
  'CA3*4000*1500*2000*500*90000*30000*40000*20000',
  'CA15*2500',
  'CA17*1*50*20',
  'CA17*2*100*15',
  'DA2*73450*201*1800*4',
  'PA1*A1*350*Cola',
  'PA2*200*70000*3*1050',
  'PA3*12*0*1*0',
  'PA5*20261119*1730*4',
  'PA1*A2*500',
  'PA2*121*53450*3*1250',
  'EA2*EGS*1*5*1',
  'EA2*EJL*0*2',
  'EA3*27*20261119*1700',
  'EA7*0*9',
]

describe('an audit file', () => {
  test('is read by block and place', () => {
    const result = readDex(file(audit))
    if (!result.ok) throw new Error(result.fault)
    const { read } = result
    expect(read).toMatchObject({
      serial: 'SN-77',
      model: 'Combo 6',
      assetNumber: '100023',
      boardVersion: '3.14',
      clock: '20261120 083000',
      cash: { inFen: 4000, toBoxFen: 1500, toTubesFen: 2000, billsFen: 500 },
      tubesFen: 2500,
      tubes: [
        { tube: 1, coinFen: 50, coins: 20 },
        { tube: 2, coinFen: 100, coins: 15 },
      ],
      reads: 27,
      powerCuts: 9,
      events: [
        { id: 'EGS', sinceReset: 1, sinceInit: 5, isActive: true },
        { id: 'EJL', sinceReset: 0, sinceInit: 2, isActive: false },
      ],
    })
    // The value stands first in VA, CA and DA, the number first in PA.
    expect(read.totals.paid).toEqual({ initFen: 123_450, initCount: 321, resetFen: 2_300, resetCount: 6 })
    expect(read.totals.cashless1).toEqual({ initFen: 73_450, initCount: 201, resetFen: 1_800, resetCount: 4 })
    expect(read.totals.cashless2).toBeNull()
    expect(read.selections.map(({ code, priceFen, name, soldOuts }) => [code, priceFen, name, soldOuts])).toEqual([
      ['A1', 350, 'Cola', 4],
      ['A2', 500, '', null],
    ])
    expect(read.selections[0]?.paid).toEqual({ initCount: 200, initFen: 70_000, resetCount: 3, resetFen: 1_050 })
    expect(read.selections[0]?.test).toMatchObject({ initCount: 12, resetCount: 1 })
    expect(read.selections[1]?.test).toBeNull()
  })

  test.each([
    ['0', 35_000],
    ['1', 3_500],
    ['2', 350],
    ['3', 35],
  ])('with its decimal point at %s counts a price of 350 as %i fen', (decimals, fen) => {
    const result = readDex(file([`ID4*${decimals}*156*CNY`, 'PA1*A1*350']))
    expect(result.ok && result.read.selections[0]?.priceFen).toBe(fen)
  })

  test('is the same with bare line ends', () => {
    expect(readDex(file(audit).replaceAll('\r\n', '\n'))).toEqual(readDex(file(audit)))
  })

  test.each<[string, string, DexFault]>([
    ['nothing of the kind', 'hello', 'notDex'],
    ['cut short', file(audit).slice(0, 200), 'noEnd'],
    ['a line lost', file(audit).replace('PA2*121*53450*3*1250\r\n', ''), 'lineCount'],
    ['a digit changed', file(audit).replace('PA2*121*', 'PA2*122*'), 'checkValue'],
    ['a wrong check value', file(audit, { check: '0000' }), 'checkValue'],
    ['a wrong count', file(audit, { count: 5 }), 'lineCount'],
  ])('with %s is refused', (_, text, fault) => {
    expect(readDex(text)).toEqual({ ok: false, fault })
  })

  test('has the check value that CRC-16/ARC is published with', () => {
    expect(crc16(Buffer.from('123456789'))).toBe(0xbb3d)
    expect(checkValue([])).toBe('0000')
  })
})

describe('between two reads', () => {
  const selection = (code: string, count: number, fen: number): DexSelection => ({
    code,
    priceFen: 350,
    name: '',
    paid: { initCount: count, initFen: fen, resetCount: 0, resetFen: 0 },
    test: null,
    free: null,
    soldOuts: null,
  })
  test.each([
    ['what was sold', [['A1', 10, 3500]], [['A1', 13, 4550]], false, [{ code: 'A1', count: 3, fen: 1050 }]],
    ['nothing sold', [['A1', 10, 3500]], [['A1', 10, 3500]], false, [{ code: 'A1', count: 0, fen: 0 }]],
    ['a new selection', [], [['A1', 10, 3500]], false, []],
    ['another board', [['A1', 10, 3500]], [['A1', 2, 700]], true, []],
    [
      'one counter of two back',
      [
        ['A1', 10, 0],
        ['A2', 5, 0],
      ],
      [
        ['A1', 11, 0],
        ['A2', 1, 0],
      ],
      true,
      [],
    ],
  ] as [string, [string, number, number][], [string, number, number][], boolean, unknown[]][])(
    '%s',
    (_, earlier, later, isNewEpoch, sold) => {
      const found = soldBetween(
        earlier.map((each) => selection(...each)),
        later.map((each) => selection(...each)),
      )
      expect(found).toEqual({ isNewEpoch, sold })
    },
  )
})
