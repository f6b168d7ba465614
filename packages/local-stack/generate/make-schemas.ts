import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { calls } from '../src/stripe/open-stripe-double.ts';
import { type JsonSchema, SchemaMaker } from './type-schema.ts';

const shapesFile = fileURLToPath(new URL('../src/stripe/shapes.ts', import.meta.url));
const interfaces = ['ParamShapes', 'EventShapes', 'ReplyShapes'];

/**
 * Returns a JSON schema for each property of the interfaces in shapes.ts, and the definitions they refer to. Resources that
 * shapes.ts doesn't name are left out: the double never sends them.
 */
export function makeSchemas(): { roots: Record<string, JsonSchema>; definitions: Record<string, JsonSchema> } {
  const program = ts.createProgram([shapesFile], {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const shapes = listShapes(program, checker);
  const served = new Set(shapes.flatMap(({ type }) => findResourceNames(type, checker)));
  const maker = new SchemaMaker(checker, served);
  /** A parameter that the double doesn't serve is only known by its name. */
  const paramsSchema = (name: string, type: ts.Type) => {
    const call = calls.find(({ params }) => params === name);
    return call && maker.propertiesSchema(type, call.serves);
  };
  const roots: Record<string, JsonSchema> = {};
  for (const { name, type } of shapes) roots[name] = paramsSchema(name, type) ?? maker.schemaOf(type) ?? false;
  return { roots, definitions: maker.definitions };
}

function listShapes(program: ts.Program, checker: ts.TypeChecker) {
  const source = program.getSourceFile(shapesFile);
  if (!source) throw new Error(`${shapesFile} not found`);
  const errors = program.getSemanticDiagnostics(source);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, host));
  const declarations = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => interfaces.includes(name.text));
  return declarations.flatMap((declaration) =>
    checker
      .getTypeAtLocation(declaration)
      .getProperties()
      .map((property) => ({ name: property.name, type: checker.getTypeOfSymbol(property) })),
  );
}

const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => process.cwd(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

/** Returns the values of `object` in a shape: its own and those of the elements of its list. */
function findResourceNames(type: ts.Type, checker: ts.TypeChecker): string[] {
  const members = type.isUnion() ? type.types : [type];
  return members.flatMap((member) => {
    const object = member.getProperty('object');
    const objectType = object && checker.getTypeOfSymbol(object);
    if (!objectType?.isStringLiteral()) return [];
    const [element] = member.aliasTypeArguments ?? checker.getTypeArguments(member as ts.TypeReference);
    return objectType.value === 'list' && element ? findResourceNames(element, checker) : [objectType.value];
  });
}
