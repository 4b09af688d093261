"""Cases that the contract's prose, not its schemas, decides."""

import schemathesis


@schemathesis.hook
def filter_case(context, case):
    """`null` for an optional field means that it is absent, which the common subset of OpenAPI 3.0 and 3.1 cannot say."""
    return not has_null(case.body)


def has_null(value):
    if isinstance(value, dict):
        return any(item is None or has_null(item) for item in value.values())
    if isinstance(value, list):
        return any(has_null(item) for item in value)
    return False
