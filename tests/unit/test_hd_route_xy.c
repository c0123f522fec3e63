/* test_hd_route_xy.c - every destination of a mesh from every router of it. */
/* dut: hd_route_xy MeshX=4 MeshY=4 */
/* dut: hd_route_xy MeshX=5 MeshY=3 */
/* dut: hd_route_xy MeshX=1 MeshY=6 */
/* dut-rtl: hd_route_xy MeshX=16 MeshY=16 */
/* mutants: MeshX=16 MeshY=16 */
#include "hd_unit.h"
#include "hd_route_xy_dut.h"
#include "hd_pkg.h"

enum { X = P_MeshX, Y = P_MeshY, NODES = X * Y, NUMBERS = 1 << HD_NODE_W };

static struct hd_route_xy d;

static int setup(void **state)
{
    (void)state;
    hd_route_xy_open(&d);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_close(d.m);
    return 0;
}

static int node_of(unsigned kind, unsigned number)
{
    return kind == HD_END_SM ? (int)number + 1 : kind == HD_END_L2 ? (int)number : 0;
}

static unsigned asked_at(unsigned row, unsigned column, unsigned kind, unsigned number)
{
    *d.head_i = 1;
    *d.dst_kind_i = (uint8_t)kind;
    *d.dst_i = (uint8_t)number;
    *d.row_i = (uint8_t)row;
    *d.column_i = (uint8_t)column;
    hd_eval(d.m);
    return *d.port_o;
}

static unsigned asked(unsigned node, unsigned kind, unsigned number)
{
    return asked_at(node / X, node % X, kind, number);
}

static void the_port_is_along_the_row_first_then_the_column(void **state)
{
    (void)state;
    for (unsigned node = 0; node < NODES; node++)
        for (unsigned kind = 0; kind < 1u << HD_ROUTE_DST_KIND_W; kind++)
            for (unsigned number = 0; number < NUMBERS; number++) {
                const int to = node_of(kind, number);
                const int dx = to % X - (int)node % X, dy = to / X - (int)node / X;
                const unsigned port = dx > 0   ? HD_ROUTER_E
                                      : dx < 0 ? HD_ROUTER_W
                                      : dy > 0 ? HD_ROUTER_S
                                      : dy < 0 ? HD_ROUTER_N
                                      : kind == HD_END_L2 ? HD_ROUTER_L2
                                                          : HD_ROUTER_SM;
                const unsigned got = asked(node, kind, number);

                assert_int_equal(*d.bad_o, to >= NODES);
                if (to < NODES)
                    assert_int_equal(got, 1u << port);
            }
}

/* A router of any number, as on a larger mesh: all bits of its row and column count. */
static void rows_and_columns_are_compared_whole(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 5000; n++) {
        const unsigned to = (unsigned)hd_rand_below(NODES < NUMBERS ? NODES : NUMBERS);
        const unsigned row = hd_rand_below(2) ? to / X : (unsigned)hd_rand_below(1 << HD_MESH_W);
        const unsigned column = hd_rand_below(2) ? to % X : (unsigned)hd_rand_below(1 << HD_MESH_W);
        const unsigned port = to % X > column   ? HD_ROUTER_E
                              : to % X < column ? HD_ROUTER_W
                              : to / X > row    ? HD_ROUTER_S
                              : to / X < row    ? HD_ROUTER_N
                                                : HD_ROUTER_L2;

        assert_int_equal(asked_at(row, column, HD_END_L2, to), 1u << port);
    }
}

/* From port to port a packet gets there, in as many hops as it is columns and rows away. */
static void following_the_ports_leads_to_the_destination(void **state)
{
    (void)state;
    for (unsigned from = 0; from < NODES; from++)
        for (unsigned to = 0; to < NODES && to < NUMBERS; to++) {
            const unsigned far = (unsigned)(abs((int)(from % X) - (int)(to % X)) + abs((int)(from / X) - (int)(to / X)));
            unsigned node = from, hops = 0, port;

            while ((port = asked(node, HD_END_L2, to)) != 1u << HD_ROUTER_L2) {
                node = port == 1u << HD_ROUTER_N   ? node - X
                       : port == 1u << HD_ROUTER_E ? node + 1
                       : port == 1u << HD_ROUTER_S ? node + X
                                                   : node - 1;
                assert_true(node < NODES && ++hops <= far);
            }
            assert_true(node == to && hops == far);
        }
}

static void without_a_head_no_port_is_asked_for(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 200; n++) {
        asked((unsigned)hd_rand_below(NODES), HD_END_SM, (unsigned)hd_rand_below(NUMBERS));
        *d.head_i = 0;
        hd_eval(d.m);
        assert_true(*d.port_o == 0 && !*d.bad_o);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest t[] = {
        cmocka_unit_test_setup_teardown(the_port_is_along_the_row_first_then_the_column, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_and_columns_are_compared_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(following_the_ports_leads_to_the_destination, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_head_no_port_is_asked_for, setup, teardown),
    };

    return HD_UNIT_MAIN(argc, argv, t);
}
