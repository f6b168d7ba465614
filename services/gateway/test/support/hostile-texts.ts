/** Texts that would end an element, an attribute, or a script, or that are patterns, if they were used as they are. */
export const hostileTexts = [
  '</title></script><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "$& $` $' $1",
  ']]><x/>]]><![CDATA[',
  '<!-- & --> &lt; &amp;',
  'a\u2028b\u2029c',
];
