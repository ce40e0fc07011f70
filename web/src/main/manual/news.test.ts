import { expect, test } from 'vitest'
import { type Known, newsOf } from './news.rules'

const known: Known = { at: '2026-11-20T04:00:00Z', mine: { 'shj/wdshj': ['fleet:verb.add'], 'jygl/ddgl': [] } }
const mine = (...pages: [string, string[]][]) => new Map(pages)

test.each([
  ['nothing came', mine(['shj/wdshj', ['fleet:verb.add']], ['jygl/ddgl', []]), []],
  ['a page that was not theirs', mine(['cfgl/txgl', ['v']]), [{ screen: 'cfgl/txgl', isWhole: true, verbs: [] }]],
  ['a verb', mine(['jygl/ddgl', ['v']]), [{ screen: 'jygl/ddgl', isWhole: false, verbs: ['v'] }]],
  ['a page and a verb less', mine(['shj/wdshj', []]), []],
])('%s', (_, now, news) => {
  expect(newsOf(known, now)).toEqual(news)
})
