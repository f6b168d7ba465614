/** The subset of OpenAPI 3.1 that we generate. A test validates the document against the official schema. */
export type JsonSchema = { [keyword: string]: unknown };
export type Reference = { $ref: string };
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonSchema;
  examples?: Record<string, { value: unknown; 'x-disabled'?: boolean }>;
};
export type MediaType = { schema?: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type ResponseObject = {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
};
export type RequestBody = { required?: boolean; content: Record<string, MediaType> };
export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, ResponseObject | Reference>;
};
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathItem = Partial<Record<Method, Operation>>;
export type OpenApiDocument = {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  externalDocs: { description: string; url: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, { post: unknown }>;
  components: {
    securitySchemes: Record<string, unknown>;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, unknown>;
    responses: Record<string, ResponseObject>;
  };
};

/** Components shared by several operations, collected while the operations are created. */
export type SharedComponents = { publicUrl: string } & Pick<OpenApiDocument['components'], 'parameters' | 'responses'>;

export const makeReference = (kind: keyof OpenApiDocument['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});
