import { expect, test } from 'vitest';
import { parseQuestions } from './parse-questions.ts';

test('JSON lines, with what is expected in them or beside the question', () => {
  const text = [
    '{"question": " When? ", "expected": [{"file_name": "a.md", "quote": "at nine", "grade": 2}, {"document_uuid": "u"}]}',
    '',
    '{"question": "Who?", "file_name": "b.md"}',
    '{"question": "What?", "expected": ["c.md", "d.md"]}',
  ].join('\n');
  expect(parseQuestions(text)).toEqual({
    questions: [
      { question: 'When?', expected: [{ file_name: 'a.md', quote: 'at nine', grade: 2 }, { document_uuid: 'u' }] },
      { question: 'Who?', expected: [{ file_name: 'b.md' }] },
      { question: 'What?', expected: [{ file_name: 'c.md' }, { file_name: 'd.md' }] },
    ],
    faults: [],
  });
});

test('a JSON array', () => {
  expect(parseQuestions('[{"question":"Q","file_name":"a"}]').questions).toHaveLength(1);
  expect(parseQuestions('[{"question":').faults).toEqual([{ line: 1, kind: 'notJson' }]);
});

test('CSV with quoted cells, whose rows with the same question belong together', () => {
  const text =
    'question,file_name,quote,grade\r\n"When, ""exactly""?",a.md,"at\nnine",\r\nWho?,b.md,,3\r\nWho?,c.md,,\r\n';
  expect(parseQuestions(text)).toEqual({
    questions: [
      { question: 'When, "exactly"?', expected: [{ file_name: 'a.md', quote: 'at\nnine' }] },
      { question: 'Who?', expected: [{ file_name: 'b.md', grade: 3 }, { file_name: 'c.md' }] },
    ],
    faults: [],
  });
  expect(parseQuestions('Question;File_name\nWho?;b.md').questions).toEqual([
    { question: 'Who?', expected: [{ file_name: 'b.md' }] },
  ]);
});

test.each([
  ['{"question": "Q", "file_name": "a"}\n{oh', [{ line: 2, kind: 'notJson' }]],
  ['{"file_name": "a"}', [{ line: 1, kind: 'noQuestion' }]],
  ['{"question": "Q"}', [{ line: 1, kind: 'noExpected' }]],
  ['{"question": "Q", "expected": []}', [{ line: 1, kind: 'noExpected' }]],
  ['{"question": "Q", "file_name": "a", "grade": 11}', [{ line: 1, kind: 'noGrade' }]],
  [
    'question,file_name\nQ,\n,a.md',
    [
      { line: 2, kind: 'noExpected' },
      { line: 3, kind: 'noQuestion' },
    ],
  ],
  ['hello there', [{ line: 1, kind: 'noColumns' }]],
  ['  ', []],
])('of %j it says what is wrong', (text, faults) => {
  expect(parseQuestions(text).faults).toEqual(faults);
});
